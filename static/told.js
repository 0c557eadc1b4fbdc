// What a page has to say once it opens stands in it from the start, and programs that read pages aloud pass over that. It
// is put in its place once more, as they wait for.
"use strict";

addEventListener("load", () => setTimeout(() => {
  for (const told of document.querySelectorAll("[data-told]")) {
    told.replaceChildren(...[...told.childNodes].map((one) => one.cloneNode(true)));
  }
}, 200));
