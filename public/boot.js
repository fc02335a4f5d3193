// Runs before the first paint: no flash of the wrong colour scheme or text size, the right language for screen readers. Starts the app.
;(() => {
  const root = document.documentElement
  let scheme = null
  try {
    scheme = localStorage.getItem('ColorScheme')
    root.dataset.text = localStorage.getItem('TextSize') ?? '100'
    if (localStorage.getItem('Language') === 'en') {
      root.lang = 'en'
      document.querySelector('link[rel="manifest"]').href = '/manifest.en.webmanifest'
    }
  } catch {
    // Storage may be blocked: the defaults stay.
  }
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  // What the server sends first is a visitor's: the start page greets others by their name.
  try {
    if ((sessionStorage.getItem('SessionToken') ?? localStorage.getItem('SessionToken')) !== null)
      root.dataset.person = ''
  } catch {
    // Storage may be blocked: nobody is known.
  }
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

  // A script of the app that does not come would leave the page blank.
  const tell = event => {
    if (event.target instanceof HTMLScriptElement) document.getElementById('no-start')?.removeAttribute('hidden')
  }
  addEventListener('error', tell, true)

  // The build lists them; without a build there is nothing to list.
  const nameFiles = () => {
    const files = JSON.parse(document.getElementById('first-files')?.textContent ?? '{}')
    const screen = location.pathname === '/' ? '/home' : location.pathname.replace(/\/\d+$/, '')
    for (const file of [...(files.later ?? []), ...(files[root.lang] ?? []), ...(files[screen] ?? [])]) {
      // The server has named them in the page; a page out of the cache of the device names none.
      if (document.querySelector(`link[href="/${file}"]`)) continue
      const link = document.createElement('link')
      link.rel = file.endsWith('.js') ? 'modulepreload' : 'preload'
      if (file.endsWith('.css')) link.as = 'style'
      else if (file.startsWith('api/')) link.as = 'fetch'
      link.crossOrigin = 'anonymous'
      link.href = new URL(file, location.origin)
      document.head.append(link)
    }
  }
  const start = () => {
    nameFiles()
    document.head.append(document.getElementById('app')?.content ?? '')
  }

  // What is tapped or chosen before the app is there, is when it is (src/app/first-data.ts).
  const record = ({ target }) => {
    const control = target.closest('[data-first-view] :is(button, select)')
    if (!control) return
    // The text typed after it is not deleted later.
    if (control.form && control.type === 'button') return control.form.reset()
    const view = control.closest('[data-first-view]')
    view.tapped = (view.tapped ?? new Set()).add(control)
  }
  addEventListener('click', record)
  addEventListener('change', record)
  // A key that sends a form taps its button, too: the app is there sooner than another page.
  addEventListener('submit', event => {
    if (event.target.closest('[data-first-view]')) event.preventDefault()
  })

  addEventListener('DOMContentLoaded', () => {
    const view = document.querySelector('[data-first-view]')
    const isShowing = view && !document.hidden
    // In another language than the reader's, or of a visitor, it shows no words (src/app/theme/base.css).
    if (view && getComputedStyle(view).getPropertyValue('--unread')) view.inert = true
    if (!isShowing) start()
    // To read the app takes a slow phone a second: it begins when what came with the page is on the screen.
    // See docs/decisions/0064.
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)))
  })
})()
