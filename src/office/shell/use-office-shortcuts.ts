import { useEffect, useEffectEvent, useRef } from 'react'

type Actions = {
  /** opens the command palette */
  onFind: () => void
  /** shows the overview of the keyboard shortcuts */
  onHelp: () => void
  /** opens the office UI section with this shortcut letter */
  onGo: (letter: string) => void
}

/** Maximum time in ms between pressing `g` and the letter of an office section. */
const SEQUENCE_MS = 1500
/** Selector for the table and list rows that the keys `j` and `k` move through. */
const ROWS = 'main :is(tbody tr, [data-row])'
const FOCUSABLE = 'a[href], button:not(:disabled), input'
/** Selector for the link to the record that is open in the side panel. */
const OPENED = '[data-record][aria-current="true"]'

const findPanel = () => document.querySelector('[data-panel]')

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
const isTextInput = (target: EventTarget | null) =>
  isTyping(target) && !(target instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(target.type))

/**
 * Finds the link in a table or list row to the record that the side panel opens next. If the row has several such
 * links, the one in the same column as the open record takes precedence.
 */
function findRecord(row: HTMLElement, opened: Element | null | undefined): HTMLElement | null {
  const column = opened?.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? -1
  const cell = row instanceof HTMLTableRowElement ? row.cells[column] : null
  return cell?.querySelector<HTMLElement>('[data-record]') ?? row.querySelector<HTMLElement>('[data-record]')
}

/**
 * Moves the focus to the next or previous row, or to the first row if none is focused. An open side panel then shows
 * that row's record.
 */
function moveRow(step: 1 | -1, last: HTMLElement | null): void {
  const hasPanel = findPanel() !== null
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter(
    row => row.checkVisibility() && (!hasPanel || row.querySelector('[data-record]')),
  )
  const focused = rows.findIndex(row => row.contains(document.activeElement))
  const before = focused === -1 && last ? rows.indexOf(last) : focused
  const present = before === -1 ? rows.findIndex(row => row.querySelector(OPENED)) : before
  const next = rows[present === -1 ? 0 : present + step]
  if (!next) return
  const record = hasPanel ? findRecord(next, rows[present]?.querySelector(OPENED)) : null
  const target = record ?? next.querySelector<HTMLElement>('a[href]') ?? next.querySelector<HTMLElement>(FOCUSABLE)
  target?.focus()
  next.scrollIntoView({ block: 'nearest' })
  record?.click()
}

/**
 * Clicks the first element with `data-edit` in the side panel if that is open, otherwise in the focused row, otherwise
 * on the current screen.
 */
function edit(): void {
  const row = document.activeElement?.closest(ROWS)
  const place = findPanel() ?? row ?? document.querySelector('main')
  const button = place?.querySelector<HTMLElement>('[data-edit]')
  button?.click()
}

function focusSearch(onFind: () => void): void {
  const box = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (box?.checkVisibility()) box.focus()
  else onFind()
}

/** Keyboard shortcuts of the office UI. They are disabled while the user is typing or a dialog is open. */
export function useOfficeShortcuts(actions: Actions): void {
  const lastRow = useRef<HTMLElement | null>(null)
  const press = useEffectEvent((key: string, isAfterG: boolean): boolean => {
    if (isAfterG) actions.onGo(key)
    else if (key === '?') actions.onHelp()
    else if (key === '/') focusSearch(actions.onFind)
    else if (key === 'j') moveRow(1, lastRow.current)
    else if (key === 'k') moveRow(-1, lastRow.current)
    else if (key === 'e') edit()
    else if (key === 'Escape') findPanel()?.querySelector<HTMLElement>('[data-close]')?.click()
    else return false
    return true
  })
  const find = useEffectEvent(() => actions.onFind())
  useEffect(() => {
    let lastG = -SEQUENCE_MS
    let isDialogOpen = false
    // A dialog closes on the same event, so its presence is noted before it handles the event.
    const noteDialog = () => {
      isDialogOpen = document.querySelector('[aria-modal="true"]') !== null
    }
    const listen = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !event.shiftKey) {
        event.preventDefault()
        return find()
      }
      if (ctrlKey || metaKey || altKey || isTextInput(target) || isDialogOpen) return
      const isAfterG = timeStamp - lastG < SEQUENCE_MS
      lastG = key === 'g' && !isAfterG ? timeStamp : -SEQUENCE_MS
      if (press(key, isAfterG)) event.preventDefault()
    }
    const remember = ({ target }: FocusEvent) => {
      lastRow.current = (target instanceof Element && target.closest<HTMLElement>(ROWS)) || lastRow.current
    }
    window.addEventListener('keydown', noteDialog, true)
    window.addEventListener('keydown', listen)
    window.addEventListener('focusin', remember)
    return () => {
      window.removeEventListener('keydown', noteDialog, true)
      window.removeEventListener('keydown', listen)
      window.removeEventListener('focusin', remember)
    }
  }, [])
}
