// Forms work without this script. With it a second press sends nothing while the first is under way, and what was typed
// is put back where it was not taken, because whoever typed it was signed out meanwhile or the page had grown too old.
"use strict";

{ // other scripts of a page have names of their own
  const SENT = "heldout.sent"; // in this tab: the fields of the form that was sent last
  const KEPT_FOR = 3_600_000; // milliseconds
  const AGAIN_AFTER = 10_000; // a form may answer with a file, and its page stays
  const reader = new URL(document.currentScript.src).hash; // whose page this is; empty where nobody is signed in
  const standsInTheWay = "notTaken" in document.currentScript.dataset; // this page stands where a form was to lead

  const posts = () => [...document.querySelectorAll("form")].filter((form) => form.getAttribute("method") === "post");
  const NOT_TYPED = ["hidden", "file", "password", "submit", "button"];
  const typed = (form) => [...form.elements].filter(
    ({ name, readOnly, type }) => name && !readOnly && !NOT_TYPED.includes(type),
  );

  function keep(form) {
    if (standsInTheWay || form.querySelector("input[type=password]")) return; // secrets are kept nowhere
    const fields = typed(form).map(({ name, value, type, checked, selectedOptions }) => (
      { name, value, checked, chosen: type.startsWith("select") ? [...selectedOptions].map((one) => one.value) : null }
    ));
    const page = location.pathname + location.search;
    const place = posts().indexOf(form);
    sessionStorage.setItem(SENT, JSON.stringify({ reader, page, form: place, fields, at: Date.now() }));
  }

  // A page to sign in at says where it leads: to a form only for whoever has just sent it.
  function markNotTaken(page) {
    const sent = JSON.parse(sessionStorage.getItem(SENT));
    const next = page.querySelector("form[method=post] input[name=next]");
    if (!sent || (next && next.value !== sent.page)) return;
    sessionStorage.setItem(SENT, JSON.stringify({ ...sent, isLost: true }));
  }

  function putBack() {
    const sent = JSON.parse(sessionStorage.getItem(SENT));
    if (standsInTheWay) { markNotTaken(document); return; }
    if (!sent) return;
    const isHere = sent.page === location.pathname + location.search;
    if (sent.reader !== reader) { sessionStorage.removeItem(SENT); return; } // somebody else has signed in at this tab
    if (sent.isLost && !isHere && Date.now() - sent.at < KEPT_FOR) return; // on the way back
    sessionStorage.removeItem(SENT);
    const form = sent.isLost && isHere ? posts()[sent.form] : null;
    if (!form) return;
    typed(form).forEach((field, place) => {
      const was = sent.fields[place];
      if (was?.name !== field.name) return;
      if (was.chosen) for (const one of field.options) one.selected = was.chosen.includes(one.value);
      else if (field.type === "checkbox" || field.type === "radio") field.checked = was.checked;
      else field.value = was.value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    const note = document.createElement("p");
    note.className = "notice";
    note.setAttribute("role", "status");
    note.textContent =
      "It seems that this was not taken. What you had typed stands here again: look at it, and send it."
      + (form.querySelector("input[type=file]") ? " A file has to be chosen again." : "");
    form.before(note);
  }

  // An alert that stands in a page from the start is read aloud by nobody; where one is put, the reading begins.
  function beginWithWhatIsWrong() {
    const wrong = document.querySelector("main :is([role='alert']:not([hidden]), [aria-invalid='true'])");
    if (!wrong || document.querySelector("main [autofocus]")) return;
    if (wrong.role === "alert") wrong.tabIndex = -1;
    wrong.focus();
  }

  // On the window, so that scripts which send a form themselves have said so before.
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "post") return;
    if (event.defaultPrevented) { keep(form); return; }
    if (form.dataset.sent) { event.preventDefault(); return; }
    keep(form);
    form.dataset.sent = "yes";
    setTimeout(() => { delete form.dataset.sent; }, AGAIN_AFTER);
  });
  window.addEventListener("pageshow", () => { for (const form of posts()) delete form.dataset.sent; });
  document.addEventListener("DOMContentLoaded", () => { putBack(); beginWithWhatIsWrong(); });

  window.markNotTaken = markNotTaken; // for upload.js
}
