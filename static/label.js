// Workers' pages do everything without this script. With it the keyboard chooses, an answer is sent without leaving the
// page, and one that the network did not take is kept here and sent again under the same id, so that it counts once.
"use strict";

const AGAIN_AFTER = 5_000; // milliseconds
const said = document.getElementById("said");
let shownAt = performance.now();
let unsent = null; // what waits to be sent again: { form, submitter, timer }

const workForm = () => document.querySelector("form.work");

function say(text) {
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = text; });
}

function noteTimes(form) {
  const fields = form.querySelectorAll("[data-ms]");
  for (const field of fields) field.value = Math.round((performance.now() - shownAt) / fields.length);
}

// A new unit is before the worker: the clock starts, and whoever listens or uses the keyboard is there at once.
function begin() {
  shownAt = performance.now();
  const wrong = document.querySelector("[data-unit]:has(.errors) [data-new]");
  (wrong ?? document.querySelector("[data-new]") ?? document.getElementById("main")).focus();
  window.scrollTo(0, 0);
  markAllRanked();
  offerCopies();
}

function show(html, address) {
  const next = new DOMParser().parseFromString(html, "text/html");
  if (!next.getElementById("said")) return false;
  document.querySelector("header.top").replaceWith(next.querySelector("header.top"));
  document.getElementById("main").replaceWith(next.getElementById("main"));
  document.title = next.title;
  if (address !== location.href) history.replaceState(null, "", address);
  begin();
  return true;
}

async function send(form, submitter) {
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
    if (answer.status >= 502) throw new Error("the server is away");
  } catch {
    keep(form, submitter);
    return;
  }
  release();
  const saved = answer.ok && !submitter?.value;
  if (!show(await answer.text(), answer.url)) { location.assign(answer.url); return; }
  if (saved) say(workForm()?.dataset.saved ?? document.title);
}

function keep(form, submitter) {
  clearTimeout(unsent?.timer);
  unsent = { form, submitter, timer: setTimeout(sendAgain, AGAIN_AFTER) };
  const note = form.querySelector("p[data-unsent]");
  note.textContent = form.dataset.unsent;
  note.hidden = false;
}

function release() {
  clearTimeout(unsent?.timer);
  unsent = null;
}

function sendAgain() {
  if (unsent) send(unsent.form, unsent.submitter);
}

window.addEventListener("online", sendAgain);
window.addEventListener("beforeunload", (event) => { if (unsent) event.preventDefault(); });

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.work");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.sending) { sendAgain(); return; }
  form.dataset.sending = "yes";
  noteTimes(form);
  send(form, event.submitter);
});

// One that stands alone goes with no other, and no text is both most and least.
document.addEventListener("change", ({ target }) => {
  const unit = target.closest("[data-unit]");
  if (!unit || !target.checked) return;
  if (target.type === "checkbox") {
    for (const other of unit.querySelectorAll("input[type=checkbox]:checked")) {
      if (other !== target && ("alone" in target.dataset || "alone" in other.dataset)) other.checked = false;
    }
  } else if (target.closest("[data-bws]")) {
    for (const other of target.closest(".four").querySelectorAll("input:checked")) if (other !== target) other.checked = false;
  }
});

// On a ranked list, what is of the class by the number that stands there is marked; a row gives its score.
function markRanked(field) {
  const unit = field?.closest("[data-unit]");
  const from = parseFloat(field?.value);
  for (const row of unit?.querySelectorAll("[data-score]") ?? []) row.classList.toggle("in", Number(row.dataset.score) >= from);
}

const markAllRanked = () => document.querySelectorAll("[data-unit] input[inputmode=decimal]").forEach(markRanked);

document.addEventListener("input", ({ target }) => { if (target.inputMode === "decimal") markRanked(target); });

document.addEventListener("click", ({ target }) => {
  const row = target.closest?.("[data-score]");
  if (!row || String(getSelection())) return;
  const field = row.closest("[data-unit]").querySelector("input[inputmode=decimal]");
  field.value = row.dataset.score;
  markRanked(field);
  field.focus({ preventScroll: true });
});

function choose(key) {
  const units = [...document.querySelectorAll("[data-unit]")];
  const at = document.activeElement.closest("[data-unit]");
  const unit = at ?? units.find((each) => !each.querySelector("input:checked")) ?? units[0];
  const input = unit?.querySelector(`input[data-key="${CSS.escape(key)}"]`);
  if (!input) return false;
  input.click();
  const next = units[units.indexOf(unit) + 1];
  if (next && input.type === "radio" && !unit.querySelector("[data-bws]")) next.querySelector("[data-new]").focus();
  else input.focus();
  return true;
}

const TYPING = "textarea, select, input:not([type=radio], [type=checkbox])";

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || target.matches(TYPING)) return;
  const form = workForm();
  if (key === "u") document.querySelector("[data-undo]")?.click();
  else if (key === "?") {
    const guidelines = document.querySelector("[data-guidelines]");
    if (!guidelines) return;
    guidelines.open = !guidelines.open;
    (guidelines.open ? guidelines.querySelector("summary") : document.querySelector("[data-new]"))?.focus();
  } else if (key === "Enter" && form && !target.closest("a, button, summary")) form.requestSubmit(form.querySelector("[data-send]"));
  else if (!form || !choose(key)) return;
  event.preventDefault();
});

// The completion code can be copied; browsers allow that on pages that came over TLS.
function offerCopies() {
  for (const code of navigator.clipboard ? document.querySelectorAll("[data-copy-text]:not(:has(+ button))") : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn quiet";
    button.textContent = code.dataset.copyText;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = code.dataset.copied;
    });
    code.after(button);
  }
}

// While the model is asked, its answer is looked for every second.
async function poll() {
  if (document.querySelector("[data-waiting]")) {
    try {
      const answer = await fetch(location.href);
      if (show(await answer.text(), answer.url)) say(document.querySelector(".tries li")?.innerText ?? "");
    } catch { /* the next look finds it */ }
  }
  setTimeout(poll, 1_000);
}

poll();
markAllRanked();
offerCopies();
if (workForm()) document.querySelector("[data-new]")?.focus({ preventScroll: true });
