// The server keeps no file of gold labels between the screens of the wizard for a new task. Here the page does,
// so that it need be chosen once; without this script it is chosen again on each screen.
"use strict";

// The admin's own script names the chosen file only in fields that were there when the page was loaded.
function showName(input) {
  const shown = input.form.querySelector(`label[for="${input.id}"] input[disabled]`);
  if (shown && input.files[0]) shown.value = input.files[0].name;
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("form[data-keep-file] input[type=file]")) showName(target);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-keep-file]");
  const file = form?.querySelector("input[type=file]")?.files[0];
  if (!file || event.submitter?.name !== "go") return; // what opens the task is an ordinary form
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const answer = await fetch(form.action, { method: "POST", body });
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#content-main");
  if (!next) { form.submit(); return; }
  const kept = new DataTransfer();
  kept.items.add(file);
  const input = next.querySelector("form[data-keep-file] input[type=file]");
  input.files = kept.files;
  showName(input);
  const room = next.querySelector("[data-kept-file]"); // nobody need choose it again here
  if (room) room.hidden = true;
  document.querySelector("#content-main").replaceWith(next);
  window.scrollTo(0, 0);
  const wrong = document.querySelector("#question .errors input, #question .errors select, #question .errors textarea");
  const head = document.querySelector("#content-main h2");
  head.tabIndex = -1;
  (wrong ?? head).focus();
});
