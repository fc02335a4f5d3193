/**
 * Exported from the React chunk so that React is evaluated in its own task, before the app. See docs/decisions/0064.
 */
export { createRoot } from 'react-dom/client'
