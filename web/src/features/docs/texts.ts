/** Every word of these pages, in one place: to be read together, and to be translated. */

export const TEXTS = {
  docsPage: {
    apisDocumentCannotBeRead: "The API's document cannot be read. Reload the page.",
    loading: "Loading…",
    api: (title: string) => `${title} API`,
    openapi: "openapi.json",
    inbox: "Inbox",
    findARoute: "Find a route",
    noRouteMatches: (sought: string) => `No route matches “${sought}”. Search by method, path or what it does.`,
    required: ", required",
    request: "Request",
    answer: (value: string) => `Answer ${value}`,
    forExample: (title: string) => `${title}, for example:`,
  },
} as const;
