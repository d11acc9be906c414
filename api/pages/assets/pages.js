/**
 * Makes the search box suggest names while a visitor types, as a combobox (WAI-ARIA) with arrow keys. Also hides pages
 * that a key has opened from visitors who press Back after the key is forgotten. Everything works without this file.
 */
"use strict";

// Tuned: longer than a fast typist's pause between two keys, so that a word makes one request.
const PAUSE_MS = 120;
const LEAST_SIGNS = 2;

const input = document.querySelector("input[data-suggest]");
if (input) suggestFor(input);
if (document.querySelector("footer form")) forgetWithKey();

/**
 * Reloads a page that a key has opened when the browser restores it from memory, as some do although the page forbids
 * storing: the key may have been forgotten. The page is hidden when it is left, so that it shows nothing until then.
 */
function forgetWithKey() {
  addEventListener("pagehide", () => (document.body.hidden = true));
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

function suggestFor(input) {
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  const status = document.createElement("span");
  status.className = "unseen";
  status.setAttribute("role", "status");
  input.after(list, status);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
  })) {
    input.setAttribute(name, value);
  }

  let asking = new AbortController();
  let timer = 0;
  let chosen = -1;

  const close = () => {
    list.hidden = true;
    status.textContent = "";
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const choose = (at) => {
    const options = [...list.children];
    chosen = at;
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", options[at].id);
    options[at]?.scrollIntoView({ block: "nearest" });
  };

  const open = (option) => {
    location.href = input.dataset.root + option.dataset.to;
  };

  const show = (items) => {
    list.replaceChildren(...items.map(toOption));
    if (items.length === 0) return close();
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(-1);
    status.textContent = `${items.length} ${items.length === 1 ? "suggestion" : "suggestions"}`;
  };

  const ask = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const address = new URL(input.dataset.suggest, location.href);
    address.searchParams.set("q", input.value);
    try {
      const answer = await fetch(address, { signal });
      const { items } = answer.ok ? await answer.json() : { items: [] };
      if (!signal.aborted) show(items);
    } catch {
      // Without suggestions the box still searches. If a newer request has aborted this one, its list stays.
      if (!signal.aborted) close();
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim().length >= LEAST_SIGNS) timer = setTimeout(ask, PAUSE_MS);
    else {
      asking.abort();
      close();
    }
  });

  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const count = list.children.length;
    if (event.key === "ArrowDown") choose(chosen + 1 < count ? chosen + 1 : -1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? count - 1 : chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) open(list.children[chosen]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });

  input.addEventListener("blur", () => {
    clearTimeout(timer);
    asking.abort();
    close();
  });

  // The list must not take the focus: `blur` would close it before the click.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) open(option);
  });
}

function toOption({ name, facts, to }, place) {
  const option = document.createElement("li");
  option.id = `suggestion-${place}`;
  option.dataset.to = to;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  const [first, second] = [document.createElement("span"), document.createElement("small")];
  first.textContent = name;
  second.textContent = facts;
  option.append(first, second);
  return option;
}
