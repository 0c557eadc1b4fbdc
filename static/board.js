// A board is sorted, searched, filtered, shaded and folded by links and a form, which need no script. With this one the
// page stays: the table that they ask for is put in place of what stands there, under the very address they lead to. Of a
// long board it is arranged here, see board_rows.js, whose files are fetched when the first such thing is asked for.
const board = document.getElementById("board");
const CONTROLS = [".bar1 summary", "thead .sort", "thead .fold", ".more a", ".rest a"]; // a link of a menu stands for the menu
const SEARCH_PAUSE = 200; // ms without a key before what is typed is looked for

// What is said about the board now, for those who hear it; a region that was not there before would not be read out.
const said = document.createElement("p");
said.className = "vh";
said.setAttribute("role", "status");
board.before(said);

let asked = new AbortController();
let pause = 0;
let here = null;

// The table that this address asks for, arranged here or by the server; undefined if neither can.
async function drawn(url, signal) {
  const { rows, arrange } = board.closest(".ranking")?.dataset ?? {};
  if (rows) here ??= import(arrange).then((one) => one.load(rows)).catch(() => null);
  const made = (await here)?.(url);
  if (made || signal.aborted) return made;
  const answer = await fetch(url, { signal });
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("board");
}

async function show(url) {
  clearTimeout(pause);
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  let next;
  try {
    next = await drawn(url, signal);
  } catch (error) {
    if (error.name === "AbortError") return; // something else was asked for meanwhile
  }
  if (signal.aborted) return;
  if (!next) { location.assign(url); return; }
  const focused = controlOf(document.activeElement);
  const { scrollLeft = 0 } = board.querySelector(".scroll") ?? {};
  replace(next);
  history.replaceState(null, "", url);
  const frame = board.querySelector(".scroll");
  if (frame) frame.scrollLeft = scrollLeft;
  offerTicks();
  if (focused) board.querySelectorAll(focused.kind)[focused.place]?.focus({ preventScroll: true });
  said.textContent = board.querySelector(".said")?.textContent ?? "The official board.";
  board.dispatchEvent(new Event("shown"));
}

// The same control of the table that takes its place; the search field is never replaced.
function controlOf(element) {
  element = element?.closest(".menu")?.querySelector("summary") ?? element;
  for (const kind of CONTROLS) {
    const place = [...board.querySelectorAll(kind)].indexOf(element);
    if (place >= 0) return { kind, place };
  }
  return null;
}

// All but the search field, so that typing in it goes on.
function replace(next) {
  const field = board.querySelector(".reading [type=search]"), fresh = next.querySelector(".reading [type=search]");
  if (field !== document.activeElement) field.value = fresh.value;
  const parts = (one) => [one.closest("label"), one.form, one.form.parentElement];
  const others = parts(fresh);
  for (const [index, part] of parts(field).entries()) {
    while (part.nextSibling) part.nextSibling.remove();
    part.after(...following(others[index]));
  }
}

function following(node) {
  const nodes = [];
  while ((node = node.nextSibling)) nodes.push(node);
  return nodes;
}

// The address that the links would have: without the fields that ask for nothing.
function addressOf(form) {
  const fields = [...new FormData(form)].map(([key, value]) => [key, value.trim()]).filter(([, value]) => value);
  const url = new URL(form.action);
  url.search = new URLSearchParams(fields);
  return url;
}

board.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.pathname !== location.pathname || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const turns = new URL(link.href).searchParams.has("page") || new URLSearchParams(location.search).has("page");
  show(link.href).then(() => turns && board.scrollIntoView()); // a page that is turned is read from its top
});
board.addEventListener("submit", (event) => {
  event.preventDefault();
  show(addressOf(event.target));
});
board.addEventListener("input", (event) => {
  if (event.isComposing || !event.target.matches("[type=search]")) return;
  clearTimeout(pause);
  pause = setTimeout(() => show(addressOf(event.target.form)), SEARCH_PAUSE);
});

// Systems are ticked to be set side by side, where the page leads to a comparison: of as many as stand on it at once.
const comparison = document.querySelector("#take-along a[href$='/compare/']");
const MOST_COMPARED = 4;
const compared = new Set();

function offerTicks() {
  if (!comparison) return;
  for (const row of board.querySelectorAll(".picture tr.system")) {
    const link = row.querySelector("th a[href^='/systems/']");
    if (!link) continue;
    const tick = document.createElement("input");
    tick.type = "checkbox";
    tick.className = "tick";
    tick.value = link.pathname.split("/")[2];
    tick.checked = compared.has(tick.value);
    tick.setAttribute("aria-label", `Compare ${link.textContent}`);
    row.querySelector(".rank").prepend(tick);
  }
  const button = document.createElement("a");
  button.className = "btn pair";
  board.querySelector(".bar1")?.append(button);
  showCompared();
}

function showCompared() {
  const isFull = compared.size >= MOST_COMPARED;
  for (const tick of board.querySelectorAll(".tick")) tick.disabled = isFull && !tick.checked;
  const button = board.querySelector(".pair");
  if (!button) return;
  button.hidden = compared.size < 2;
  button.textContent = `Compare ${compared.size} systems`;
  button.href = `${comparison.pathname}?${new URLSearchParams([...compared].map((system) => ["system", system]))}`;
}

board.addEventListener("change", ({ target }) => {
  if (!target.matches(".tick")) return;
  compared[target.checked ? "add" : "delete"](target.value);
  showCompared();
});
offerTicks();
