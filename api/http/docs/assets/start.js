/**
 * Owns what the page of the documentation does in the browser. The server puts GIVEN_KEY before it, the key that every visitor
 * is shown; empty: none. A key is stored in the session of the tab: it survives reloads, and ends with the tab.
 */
const STORED_AS = "company-register-key";
const base = new URL(".", location.href).href.replace(/\/$/, "");
const field = document.getElementById("key");

function fill(name, text) {
  for (const element of document.querySelectorAll("#start ." + name)) element.textContent = text;
}

let remembered;
function remember(key) {
  if (key === remembered) return;
  remembered = key;
  sessionStorage.setItem(STORED_AS, key);
  field.value = key;
  fill("key", key || "KEY");
}

function currentKey() {
  return ui.authSelectors.authorized().getIn(["basic", "value", "username"], "");
}

function useKey(key) {
  if (key) ui.preauthorizeBasic("basic", key, "");
  else ui.authActions.logout(["basic"]);
  remember(key);
}

fill("base", base);
fill("given", GIVEN_KEY);
document.getElementById("given").hidden = !GIVEN_KEY;
document.getElementById("operator").hidden = Boolean(GIVEN_KEY);

// The validator is a service of Swagger's makers: without an address the page does not call it.
const ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  // The known values of a text, and their words.
  showExtensions: true,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => {
    useKey(sessionStorage.getItem(STORED_AS) ?? GIVEN_KEY);
    // Whichever way a key is entered or left after that, the page has the same one everywhere.
    ui.getStore().subscribe(() => remember(currentKey()));
    field.addEventListener("change", () => useKey(field.value.trim()));
  },
});
