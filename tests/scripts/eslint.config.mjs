// ESLint's recommended rules for the scripts of pages and of the service worker.
import js from "@eslint/js";
import globals from "globals";

const LIBRARIES = { htmx: "readonly", Idiomorph: "readonly", Alpine: "readonly" };

export default [
  { ignores: ["static/vendor/**"] },
  {
    files: ["static/**/*.js"],
    ...js.configs.recommended,
    languageOptions: { globals: { ...globals.browser, ...LIBRARIES } },
  },
  {
    files: ["static/casino/service_worker.js"],
    languageOptions: {
      globals: {
        ...globals.serviceworker,
        VERSION: "readonly",
        SHELL: "readonly",
        PUSH: "readonly",
      },
    },
  },
];
