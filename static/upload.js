// Without this script the form of an upload works as forms do. With it, the page shows how much of the file has arrived,
// says if that breaks off, and keeps the chosen file meanwhile; a file may be dropped anywhere on the page. What it says
// stands in the page, in the site's language: `data-begun` and the like on the line that it is said in.
"use strict";

const uploadForm = () => document.querySelector("form[data-upload]");
const fileInput = () => uploadForm()?.querySelector("input[type=file]");
const statusLine = () => uploadForm().querySelector("[data-upload-status]");
const words = (name) => statusLine().dataset[name];
const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const megabytes = (bytes) => (bytes / 2 ** 20).toLocaleString(language, oneDigit); // `language`: see heldout.js
let underWay = null;
let sentFrom = null; // the page's part with the form, as it was when the verdict took its place

// What is said is read out; the bar and the amount beside it move without a word.
function say(text, isUnderWay) {
  const status = statusLine();
  if (status.textContent !== text) status.textContent = text;
  uploadForm().querySelector("[data-upload-progress]").hidden = !isUnderWay;
  for (const button of uploadForm().querySelectorAll("[data-upload-send]")) button.disabled = isUnderWay;
}

function moved({ loaded, total }) {
  const bar = uploadForm().querySelector("progress");
  bar.max = total;
  bar.value = loaded;
  uploadForm().querySelector("[data-upload-amount]").textContent =
    words("amount").replace("{loaded}", megabytes(loaded)).replace("{total}", megabytes(total));
  if (loaded >= total) {
    bar.removeAttribute("value");
    say(words("arrived"), true);
  } else if (loaded >= total / 2) {
    say(words("half"), true);
  }
}

function brokeOff(why) {
  underWay = null;
  say(`${why} ${words("again")}`, false);
  uploadForm().querySelector("[data-upload-send]").focus();
}

// An accepted upload has a page of its own, and so has signing in. Any other answer takes this page's place: the form with the file still
// chosen, or a verdict with the first problem in focus, from which "back" leads to the form.
function answered({ target }) {
  if (target.status >= 502 && target.status <= 504) { brokeOff(words("noAnswer")); return; }
  underWay = null;
  const to = target.getResponseHeader("X-Next");
  if (to) { location.assign(to); return; }
  const isHere = new URL(target.responseURL).pathname === location.pathname;
  if (!isHere) { location.assign(target.responseURL); return; } // to sign in anew
  const { files } = fileInput();
  const next = new DOMParser().parseFromString(target.responseText, "text/html");
  if (next.querySelector("script[data-not-taken]")) markNotTaken(next); // see forms.js
  document.title = next.title;
  sentFrom = document.querySelector("#main");
  sentFrom.replaceWith(next.querySelector("#main"));
  if (fileInput()) fileInput().files = files;
  else history.pushState(null, "");
  showTimes();
  window.scrollTo(0, 0);
  (document.querySelector("#main [autofocus]") ?? document.querySelector("#main")).focus({ focusVisible: true });
}

document.addEventListener("submit", (event) => {
  const file = fileInput()?.files[0];
  if (event.target !== uploadForm() || !file) return;
  event.preventDefault();
  if (underWay) return;
  const most = Number(fileInput().dataset.maxBytes);
  if (file.size > most) {
    say(words("tooLarge").replace("{size}", megabytes(file.size)).replace("{most}", megabytes(most)), false);
    fileInput().focus();
    return;
  }
  underWay = new XMLHttpRequest();
  underWay.upload.addEventListener("progress", moved);
  underWay.addEventListener("load", answered);
  underWay.addEventListener("error", () => brokeOff(words("brokeOff")));
  underWay.addEventListener("abort", () => brokeOff(words("stopped")));
  underWay.open("POST", location.href);
  underWay.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  const body = new FormData(event.target, event.submitter);
  say(words("begun"), true);
  underWay.send(body);
});

document.addEventListener("click", ({ target }) => {
  if (target.matches("[data-upload-stop]")) underWay?.abort();
});

// What was only checked is submitted with the same form and file.
document.addEventListener("click", (event) => {
  if (!event.target.matches("[data-upload-again]") || !sentFrom) return;
  event.preventDefault();
  document.querySelector("#main").replaceWith(sentFrom);
  say("", false);
  uploadForm().requestSubmit(uploadForm().querySelector("[data-upload-send]"));
});
window.addEventListener("beforeunload", (event) => { if (underWay) event.preventDefault(); });
window.addEventListener("popstate", () => location.reload());

// Beside the box a browser would open a dropped file instead of the page.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (!fileInput() || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop" && !underWay) fileInput().files = event.dataTransfer.files;
  });
}
