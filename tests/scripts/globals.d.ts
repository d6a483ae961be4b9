// What scripts find in the page and no import names: libraries, functions of the admin's theme, and
// elements of HTML alone, of which a query says only that they are elements.

declare const htmx: any;
declare const Alpine: any;
declare const Idiomorph: any;
declare const getCurrentTab: () => string;
declare const moveRecords: any;
declare const searchCommand: any;
declare const searchForm: any;
declare const sortRecords: any;
declare const theme: any;

interface EventTarget {
  closest: any;
  dataset: DOMStringMap;
  files: FileList;
  value: any;
}

interface Element {
  cloneNode(deep?: boolean): any;
  focus(options?: FocusOptions): void;
}
