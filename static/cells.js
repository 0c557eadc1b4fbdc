// What stands behind a score, beside the cell that is pointed at, tapped or reached with the arrow keys. Without this
// script a cell's title has the main of it.

const board = document.getElementById("board");
const HOVER = 150; // ms that a pointer rests on a cell, or may take from there to what is shown
const GAP = 6; // pixels between cell and what is shown
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const WHEN = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const CELL = "tbody td:not(.rank, .folded, .br, .pc, .ex)";

const tip = document.createElement("div");
tip.id = "cell-tip";
tip.className = "tip";
tip.popover = "manual"; // in the top layer, where no frame cuts it off and nothing else moves
tip.setAttribute("role", "tooltip");
document.querySelector("main").append(tip);

let shown = null;
let wait = 0;
let origins = null;

// The submissions of the release, fetched when the first of them is asked for.
function submissions() {
  const [base] = location.pathname.match(/^\/benchmarks\/[^/]+(\/releases\/\d+)?/);
  origins ??= fetch(`${base}-submissions.json`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  return origins;
}

// A short id may stand for two submissions; then nothing is said about either.
async function origin(short) {
  const known = await submissions();
  const found = Object.entries(known?.submissions ?? {}).filter(([id]) => id.startsWith(short));
  if (found.length !== 1) return [];
  const [{ received_at: received, file_sha256: hash }] = found.map(([, one]) => one);
  const when = new Date(received).toLocaleString(document.documentElement.lang, WHEN);
  return [`received ${when}`, `in release ${known.release}`, `SHA-256 of its file: ${hash}`];
}

// The link to where a number comes from. The tab key passes it by: from the cell, Enter follows it.
function cardOf(cell) {
  return cell.querySelector("a[href*='/provenance/']");
}

// The title is taken off the cell, so that the browser does not show it as well.
function linesOf(cell) {
  if (cell.title) {
    cell.dataset.lines = cell.title;
    cell.removeAttribute("title");
  }
  const more = cardOf(cell) ? ["press it for where it comes from"] : [];
  return [...(cell.dataset.lines?.split("; ") ?? []), ...more];
}

async function show(cell) {
  clearTimeout(wait);
  if (cell === shown) return;
  hide();
  const lines = linesOf(cell);
  if (!lines.length) return;
  shown = cell;
  cell.setAttribute("aria-describedby", tip.id);
  print(lines);
  tip.showPopover();
  place(cell);
  const more = cell.dataset.submission ? await origin(cell.dataset.submission) : [];
  if (shown !== cell || !more.length) return;
  print([...lines.slice(0, -1), ...more, ...lines.slice(-1)]);
  place(cell);
}

function hide() {
  clearTimeout(wait);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  if (tip.matches(":popover-open")) tip.hidePopover();
}

function print(lines) {
  tip.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

// Below the cell, above it where there is no room; never beyond the edge of the window.
function place(cell) {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const below = bottom + GAP + height <= innerHeight;
  tip.style.top = `${below ? bottom + GAP : Math.max(top - GAP - height, 0)}px`;
  tip.style.left = `${Math.max(Math.min((left + right - width) / 2, document.documentElement.clientWidth - width - GAP), GAP)}px`;
}

// One cell of the table can be reached with the tab key; arrows lead on from there.
function makeReachable(cell) {
  if (cell) cell.tabIndex = 0; // first, for a cell that loses it for a moment loses the focus
  for (const one of board.querySelectorAll("td[tabindex]")) if (one !== cell) one.removeAttribute("tabindex");
}

function neighbour(cell, [down, along]) {
  let row = cell.parentElement;
  const place = [...row.querySelectorAll(":scope > td:not(.rank, .folded, .br, .pc, .ex)")].indexOf(cell) + along;
  if (down) row = down > 0 ? row.nextElementSibling : row.previousElementSibling;
  return row?.querySelectorAll(":scope > td:not(.rank, .folded, .br, .pc, .ex)")[place] ?? null;
}

board.addEventListener("pointerover", (event) => {
  const cell = event.target.closest(CELL);
  if (event.pointerType !== "mouse" || !cell || cell === shown) return;
  clearTimeout(wait);
  wait = setTimeout(() => show(cell), HOVER);
});
board.addEventListener("pointerout", (event) => {
  if (event.pointerType !== "mouse" || event.relatedTarget?.closest?.(CELL) === event.target.closest(CELL)) return;
  clearTimeout(wait);
  if (shown !== document.activeElement) wait = setTimeout(hide, HOVER);
});
tip.addEventListener("pointerenter", () => clearTimeout(wait));
tip.addEventListener("pointerleave", () => { wait = setTimeout(hide, HOVER); });
document.addEventListener("click", (event) => {
  const { target, pointerType } = event;
  const cell = target.closest(CELL);
  // A finger cannot point before it presses: its first touch shows, its second follows the link.
  if (pointerType && pointerType !== "mouse" && cell && cell !== shown && target.closest("a")) event.preventDefault();
  if (cell && board.contains(cell)) show(cell);
  else if (!tip.contains(target)) hide();
});
board.addEventListener("focusin", ({ target }) => {
  if (!target.matches(CELL)) return;
  makeReachable(target);
  show(target);
});
board.addEventListener("focusout", ({ target }) => { if (target === shown) hide(); });
board.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches(CELL)) cardOf(event.target)?.click();
  if (!(event.key in MOVES) || !event.target.matches(CELL)) return;
  event.preventDefault();
  const next = neighbour(event.target, MOVES[event.key]);
  if (!next) return;
  makeReachable(next);
  next.focus();
});
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
document.addEventListener("scroll", () => { if (shown) place(shown); }, { capture: true, passive: true });
board.addEventListener("shown", () => {
  hide();
  makeReachable(board.querySelector(CELL));
});
makeReachable(board.querySelector(CELL));
