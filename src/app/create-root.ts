/** In the file of React: who runs that runs React, before the app and in a turn of its own. See docs/decisions/0064. */
export { createRoot } from 'react-dom/client'
