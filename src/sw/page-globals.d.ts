// Page globals referenced by files shared with the worker. They are undefined at run time, which these files handle.
declare const document: { cookie: string }
declare const localStorage: {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}
declare const sessionStorage: typeof localStorage
