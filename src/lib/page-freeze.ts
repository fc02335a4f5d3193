const unfinished = new Set<IDBTransaction>()
let isListening = false

/**
 * Ends a transaction with the page. A browser may freeze a page that is left (its back/forward cache) in the middle of a
 * transaction; WebKit then never ends it, and every later use of that database hangs, in all tabs and after a reload.
 */
export function endWithPage(transaction: IDBTransaction): void {
  listen()
  unfinished.add(transaction)
  for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => unfinished.delete(transaction))
}

/** The worker has no pages to leave: there the event never comes. */
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
      // It was finishing already.
    }
  }
  unfinished.clear()
}
