// Runs before the first paint: no flash of the wrong colour scheme, the right language for screen readers.
;(() => {
  const root = document.documentElement
  let scheme = null
  try {
    scheme = localStorage.getItem('ColorScheme')
    if (localStorage.getItem('Language') === 'en') {
      root.lang = 'en'
      document.querySelector('link[rel="manifest"]').href = '/manifest.en.webmanifest'
    }
  } catch {
    // Storage may be blocked: the defaults stay.
  }
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

  // A script of the app that does not come would leave the page blank.
  const tell = event => {
    if (event.target instanceof HTMLScriptElement) document.getElementById('no-start')?.removeAttribute('hidden')
  }
  addEventListener('error', tell, true)
})()
