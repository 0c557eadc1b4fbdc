// Pages say everything without this script. It turns UTC instants into the reader's own time and counts down to them, and
// leads who is signed in to what is their own.
"use strict";

const language = document.documentElement.lang;
const relative = new Intl.RelativeTimeFormat(language, { numeric: "always" });
const dayFormat = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const timeFormat = new Intl.DateTimeFormat(language, {
  weekday: "short", day: "numeric", month: "short", year: "numeric",
  hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short",
});

function localTime(instant) {
  const part = Object.fromEntries(timeFormat.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${part.weekday} ${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} ${part.timeZoneName}`;
}

// Rounded towards now: a deadline must never seem farther off than it is.
function distance(instant) {
  const away = instant - Date.now(), minutes = Math.trunc(away / 60_000);
  if (!minutes) return away > 0 ? "in less than a minute" : "less than a minute ago";
  if (Math.abs(minutes) < 120) return relative.format(minutes, "minute");
  const hours = Math.trunc(minutes / 60);
  return Math.abs(hours) < 48 ? relative.format(hours, "hour") : relative.format(Math.trunc(hours / 24), "day");
}

let countdowns = [];

function countDown() {
  for (const { label, instant } of countdowns) label.textContent = distance(instant);
}

// Also called where a part of the page was put in the place of another (upload.js).
function showTimes() {
  for (const element of document.querySelectorAll("time[data-local]")) {
    const instant = new Date(element.dateTime);
    element.title = element.textContent;
    element.textContent = element.dataset.local === "day" ? dayFormat.format(instant) : localTime(instant);
  }
  countdowns = [...document.querySelectorAll("time[data-countdown]")].map((element) => {
    const label = document.createElement("span");
    label.className = "countdown";
    element.after(" ", label);
    return { label, instant: new Date(element.dateTime) };
  });
  countDown();
}

// A menu closes where something else is pressed, and with Escape.
function closeMenus({ type, key, target }) {
  if (type === "keydown" && key !== "Escape") return;
  for (const menu of document.querySelectorAll(".menu[open]")) if (type === "keydown" || !menu.contains(target)) menu.open = false;
}
document.addEventListener("click", closeMenus);
document.addEventListener("keydown", closeMenus);

// What an address points to is shown, also where it is folded.
function unfold() {
  const wanted = document.getElementById(location.hash.slice(1));
  const folded = wanted?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  wanted.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();

showTimes();
setInterval(countDown, 30_000);

// An address that is there to be quoted can be copied; browsers allow that on pages that came over TLS.
for (const link of navigator.clipboard ? document.querySelectorAll("a[data-copy]") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy link";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.href);
    button.textContent = "Copied";
  });
  link.after(button);
}

// A published page is the same for everybody; a cookie says whether somebody is signed in here (SignedInMiddleware).
const entrance = document.querySelector(".top .sign-in");
if (entrance && document.cookie.split("; ").includes("heldout_signed_in=1")) {
  entrance.textContent = "Account";
  entrance.href = "/account/";
  const mine = document.createElement("a");
  mine.className = "mine";
  mine.href = "/submissions/";
  mine.textContent = "My submissions";
  document.querySelector(".top nav a[href='/submit/']").after("\n", mine);
}

// Who signs up need not say where their clock stands.
for (const field of document.querySelectorAll("input[data-own-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
