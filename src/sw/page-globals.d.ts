// Names of the page that files shared with the worker ask for. Here they are missing at run time, which those files expect.
declare const document: { cookie: string }
declare const localStorage: {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}
declare const sessionStorage: typeof localStorage
