// A long board arranged here, from two files that are drawn beside it: its rows as the server writes them, and what
// stands around them in each order. Nothing is written here but addresses: rows are chosen, put in order and counted.
const KNOWN = ["q", "tag", "sort", "rows", "page"]; // whatever else is asked for, the server answers
const MOST_TAGS = 8, LONGEST_SEARCH = 80;
const PLACE = "<!--rows-->";
const PLAIN = /^[\x20-\x7e]*$/; // the server folds the case of other letters by rules of its own

export async function load(base) {
  // One after the other: whichever comes second is drawn from what the server has read for the first.
  const [frames, rows] = [await file(base, "frames"), await file(base, "rows")];
  return rows.release === frames.release ? (url) => table(url, rows, frames) : null;
}

async function file(base, kind) {
  return (await fetch(`${base}-${kind}.json`)).json();
}

// The board's element as that address asks for it; null where only the server can tell.
function table(url, rows, frames) {
  const asked = understood(url, rows, frames);
  if (!asked) return null;
  const places = chosen(asked, rows);
  const size = frames.sizes[Number(asked.whole)];
  const first = asked.whole ? size * Math.min(asked.page - 1, Math.floor(Math.max(places.length - 1, 0) / size)) : 0;
  const shown = places.slice(first, first + size);
  const board = parsed(frames.frames[asked.order].replace(PLACE, () => shown.map((at) => row(at, asked, rows)).join("")));
  if (shown.length) board.querySelector("tr.empty").remove();
  for (const link of board.querySelectorAll("a[href$='#board']")) link.setAttribute("href", led(link, asked));
  showAsked(board, asked, frames.words);
  if (filters(asked)) {
    board.querySelector("tr.more")?.remove();
    say(board, counted(asked, places.length, rows, frames.words), frames);
  }
  turn(board, asked, { first, size, count: places.length }, frames.words);
  return board;
}

function understood(url, rows, frames) {
  const given = [...new URL(url, location).searchParams].map(([key, value]) => [key, value.trim()]).filter(([, value]) => value);
  const last = Object.fromEntries(given);
  const tags = [...new Set(given.filter(([key]) => key === "tag").map(([, value]) => value))];
  const order = !last.sort || last.sort === frames.rank_by ? "" : last.sort;
  const asked = { search: last.q ?? "", tags, order, whole: last.rows === "all", page: 1 };
  if (/^\d{1,4}$/.test(last.page ?? "")) asked.page = Math.max(1, Number(last.page));
  const isKnown = given.every(([key]) => KNOWN.includes(key)) && Object.hasOwn(frames.frames, order)
    && tags.length <= MOST_TAGS && tags.every((tag) => Object.hasOwn(rows.tags, tag) && isOffered(tag, frames))
    && PLAIN.test(asked.search) && asked.search.length <= LONGEST_SEARCH;
  return isKnown && (filters(asked) || order || asked.whole) ? asked : null; // else it is the page itself
}

function isOffered(tag, frames) {
  return frames.frames[""].includes(`?${new URLSearchParams({ tag })}#board`);
}

function filters({ search, tags }) {
  return Boolean(search || tags.length);
}

function chosen(asked, rows) {
  const has = asked.tags.map((tag) => new Set(rows.tags[tag])), folded = new Set(rows.folded);
  const search = asked.search.toLowerCase();
  const isChosen = filters(asked)
    ? (at) => has.every((places) => places.has(at)) && rows.words[at].includes(search)
    : (at) => !folded.has(at);
  return inOrder(asked.order, rows).filter(isChosen);
}

// Turned round, those that share a value keep their order, and those without one stay last.
function inOrder(order, rows) {
  if (!order) return rows.rows.map((_, at) => at);
  const [groups, rest] = rows.orders[order.replace(/^-/, "")];
  return [...(order.startsWith("-") ? groups.toReversed() : groups), rest].flat();
}

function row(at, { order }, { rows, cells, always }) {
  const key = order.replace(/^-/, "");
  const beside = always.length ? always : Object.hasOwn(cells, key) ? [key] : [];
  return [rows[at][0], ...beside.map((other) => cells[other][at]), rows[at][1]].join("");
}

function parsed(html) {
  return new DOMParser().parseFromString(html, "text/html").getElementById("board");
}

// Where a link of the frame leads with what else is asked for; one of a tag takes it in or leaves it off.
function led(link, asked) {
  const [, query = ""] = link.getAttribute("href").replace("#board", "").split("?");
  const own = new URLSearchParams(query);
  const tag = own.get("tag");
  own.delete("tag");
  const tags = asked.tags.filter((other) => other !== tag);
  if (tag !== null && tags.length === asked.tags.length) tags.push(tag);
  return address([["q", asked.search], ...tags.map((one) => ["tag", one]), ...own, ["rows", asked.whole ? "all" : ""]]);
}

function address(pairs) {
  const query = new URLSearchParams(pairs.filter(([, value]) => value)).toString();
  return `${query ? `?${query}` : "./"}#board`;
}

// The form and the menu of tags say what is asked for.
function showAsked(board, { search, tags, whole }, words) {
  const field = board.querySelector(".reading [type=search]");
  field.setAttribute("value", search);
  for (const tag of tags.toReversed()) field.closest("label").after(hidden("tag", tag));
  if (whole) field.form.querySelector("button").before(hidden("rows", "all"));
  if (!tags.length) return;
  const links = [...board.querySelectorAll(".menu a")].filter((link) => link.querySelector("small"));
  for (const link of links) {
    const name = link.querySelector("span");
    if (!tags.includes(name.textContent.trim())) continue;
    link.setAttribute("aria-current", "true");
    name.append(element("span", words.chosen, { class: "vh" }));
  }
  links[0].closest(".menu").querySelector("summary").append(element("span", `: ${tags.join(", ")}`));
}

function counted({ search, tags }, shown, rows, words) {
  const named = tags.map((tag) => filled(words.tag, { tag })).join(words.and);
  const how = [named && filled(words.tagged, { tags: named }), search && filled(words.searched, { search })].filter(Boolean);
  return filled(words.counted, { shown, all: rows.rows.length, how: how.join(", ") });
}

function say(board, sentence, { frames }) {
  let said = board.querySelector(".said");
  if (!said) {
    said = parsed(frames.system).querySelector(".said");
    said.replaceChildren(said.querySelector("a"));
    board.querySelector(".bar1").after(said);
  }
  said.querySelector("a").before(`${sentence} `);
}

function turn(board, asked, { first, size, count }, words) {
  if (count <= size) return;
  const own = [["q", asked.search], ...asked.tags.map((tag) => ["tag", tag]), ["sort", asked.order], ["rows", "all"]];
  const rest = element("p", "", { class: "rest" });
  const link = (page, text) => element("a", text, { rel: "nofollow", href: address([...own, ["page", page > 1 ? page : ""]]) });
  if (!asked.whole) rest.append(link(1, filled(words.rest, { count: count - size })));
  else {
    const page = first / size + 1;
    rest.append(filled(words.turn, { first: first + 1, last: Math.min(first + size, count), count }));
    if (page > 1) rest.append(" ", link(page - 1, words.before));
    if (first + size < count) rest.append(" ", link(page + 1, words.after));
  }
  board.querySelector(".note").before(rest);
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function hidden(name, value) {
  return element("input", "", { type: "hidden", name, value });
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
