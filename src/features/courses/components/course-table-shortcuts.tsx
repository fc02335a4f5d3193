import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followRovingFocus } from '#lib/roving-focus.ts'
import { deleteSetting, readSetting, writeSetting } from '#lib/settings.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Box, CheckLabel } from '#ui/layout.tsx'
import { useCloseOnBack } from '#ui/use-close-on-back.ts'

/** Name of the user setting that turns off single-character shortcuts (WCAG 2.1.4, for users of speech input). */
const OFF = 'NoListKeys'

const ROWS = '[role="row"] h3 a'
const rowLinks = () => [...document.querySelectorAll<HTMLAnchorElement>(ROWS)]

/** The first row that has not been scrolled out above the viewport. */
const firstInView = (links: readonly HTMLAnchorElement[]) =>
  links.find(link => link.getBoundingClientRect().top > 0.2 * window.innerHeight) ?? links[0]

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]')

type Props = { openId: number | null; onOpen: (id: number) => void; onClose: () => void }

/**
 * Keyboard shortcuts of the course table: start a search, move between rows, open and close a course, and show an
 * overview of the shortcuts. The browser's Back button also closes a course.
 */
export function CourseTableShortcuts({ openId, onOpen, onClose }: Props) {
  const [isHelp, setIsHelp] = useState(false)
  useCloseOnBack(onClose, openId !== null)
  const step = (by: 1 | -1) => {
    const links = rowLinks()
    const at = links.findIndex(link => link === document.activeElement || idOf(link) === openId)
    const next = at < 0 ? firstInView(links) : links[at + by]
    if (!next) return
    next.focus({ preventScroll: true })
    next.scrollIntoView({ block: 'nearest' })
    if (openId !== null) onOpen(idOf(next))
  }
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || document.querySelector('[aria-modal="true"]')) return
    if (key === 'Escape' && openId !== null) return onClose()
    if (isTyping(target)) return
    const isSingle = readSetting(OFF) === null
    const acts: Record<string, (() => void) | false> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      '/': isSingle && (() => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus()),
      '?': isSingle && (() => setIsHelp(true)),
    }
    const act = acts[key]
    if (!act) return
    event.preventDefault()
    act()
  })
  // Weekdays, filters and column headers are one tab stop each on the way to the first course.
  useEffect(followRovingFocus, [])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return isHelp ? <KeySheet onClose={() => setIsHelp(false)} /> : null
}

const idOf = (link: HTMLAnchorElement) => Number(link.pathname.split('/').at(-1))

/** Dialog with an overview of the keyboard shortcuts and a switch that turns off the single-character ones. */
function KeySheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('course-list')
  const [isOff, setIsOff] = useState(() => readSetting(OFF) !== null)
  const toggle = () => {
    if (isOff) deleteSetting(OFF)
    else writeSetting(OFF, '1')
    setIsOff(!isOff)
  }
  const keys = [
    ['/', t('keys.search')],
    ['↑ ↓', t('keys.move')],
    [t('keys.enter'), t('keys.open')],
    ['Esc', t('keys.close')],
    ['?', t('keys.help')],
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <Box as="dl" pairs>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Box>
      <CheckLabel>
        <input type="checkbox" checked={!isOff} onChange={toggle} />
        {t('keys.single')}
      </CheckLabel>
    </Dialog>
  )
}
