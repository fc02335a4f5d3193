/** The version of package.json, injected by the build. */
declare const __RELEASE__: string
