const unfinished = new Set<IDBTransaction>()
let isListening = false

/**
 * Aborts a transaction when the page is left. A browser may freeze a page for its back/forward cache in the middle of a
 * transaction; WebKit then never ends it, and every later use of that database hangs, in all tabs and after a reload.
 */
export function abortOnPageHide(transaction: IDBTransaction): void {
  listen()
  unfinished.add(transaction)
  for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => unfinished.delete(transaction))
}

/** In a service worker the `pagehide` event never fires. */
function listen(): void {
  if (isListening) return
  isListening = true
  globalThis.addEventListener?.('pagehide', giveUp)
}

function giveUp(): void {
  for (const transaction of unfinished) {
    try {
      transaction.abort()
    } catch {
      // The transaction was already finishing.
    }
  }
  unfinished.clear()
}
