// Without this script the form of an upload works as forms do. With it, the page shows how much of the file has arrived,
// says if that breaks off, and keeps the chosen file meanwhile; a file may be dropped anywhere on the page.
"use strict";

const uploadForm = () => document.querySelector("form[data-upload]");
const fileInput = () => uploadForm()?.querySelector("input[type=file]");
const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
let underWay = null;

// What is said is read out; the bar and the amount beside it move without a word.
function say(text, isUnderWay) {
  const status = uploadForm().querySelector("[data-upload-status]");
  if (status.textContent !== text) status.textContent = text;
  uploadForm().querySelector("[data-upload-progress]").hidden = !isUnderWay;
  for (const button of uploadForm().querySelectorAll("[data-upload-send]")) button.disabled = isUnderWay;
}

function moved({ loaded, total }) {
  const bar = uploadForm().querySelector("progress");
  bar.max = total;
  bar.value = loaded;
  uploadForm().querySelector("[data-upload-amount]").textContent = `${megabytes(loaded)} of ${megabytes(total)} MB`;
  if (loaded >= total) {
    bar.removeAttribute("value");
    say("All of it has arrived and is being checked.", true);
  } else if (loaded >= total / 2) {
    say("Half of it has arrived.", true);
  }
}

function brokeOff(why) {
  underWay = null;
  say(`${why} Nothing was counted. The file is still chosen: press the button to send it again.`, false);
  uploadForm().querySelector("[data-upload-send]").focus();
}

// An accepted upload has a page of its own. Any other answer takes this page's place: the form with the file still
// chosen, or a verdict with the first problem in focus, from which "back" leads to the form.
function answered({ target }) {
  if (target.status >= 502 && target.status <= 504) { brokeOff("The server does not answer at present."); return; }
  underWay = null;
  const to = target.getResponseHeader("X-Next");
  if (to) { location.assign(to); return; }
  const { files } = fileInput();
  const next = new DOMParser().parseFromString(target.responseText, "text/html");
  document.title = next.title;
  document.querySelector("#main").replaceWith(next.querySelector("#main"));
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
    say(`This file has ${megabytes(file.size)} MB; ${megabytes(most)} MB are the most that is taken. Choose another one, or pack it as a zip.`, false);
    fileInput().focus();
    return;
  }
  underWay = new XMLHttpRequest();
  underWay.upload.addEventListener("progress", moved);
  underWay.addEventListener("load", answered);
  underWay.addEventListener("error", () => brokeOff("The upload broke off."));
  underWay.addEventListener("abort", () => brokeOff("The upload was stopped."));
  underWay.open("POST", location.href);
  underWay.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  const body = new FormData(event.target, event.submitter);
  say("The upload has begun.", true);
  underWay.send(body);
});

document.addEventListener("click", ({ target }) => {
  if (target.matches("[data-upload-stop]")) underWay?.abort();
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
