import { Input } from '@mantine/core'
import { Calendar, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { IconCalendar } from './office-icons.tsx'
import 'dayjs/locale/de'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { Field } from '#ui/field.tsx'
import { IconButton } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { type DateTimeKind, formatDateTimeInput, parseDateTimeInput } from '../date-time-input-model.ts'

type Props = {
  kind: DateTimeKind
  label: string
  name?: string
  hint?: string
  required?: boolean
  /** 'YYYY-MM-DD', 'HH:mm' or 'YYYY-MM-DDTHH:mm'; '' if empty */
  value: string
  onChange: (value: string) => void
  /** shows the calendar from the start */
  startsOpen?: boolean
  /** called when a day was chosen in the calendar */
  onChosen?: () => void
}

/**
 * Input for a date, a time or both in the portal's format, with a calendar. Native inputs would use the browser's
 * language instead.
 */
export function DateTimeField({
  kind,
  label,
  name,
  hint,
  required = false,
  value,
  onChange,
  startsOpen = false,
  onChosen,
}: Props) {
  const { t } = useTranslation('office')
  // The typed text is not formatted until the field loses focus.
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(startsOpen)
  const calendar = useId()
  const stored = value && formatDateTimeInput(kind, value)
  const isUnread = typed !== null && typed.trim() !== '' && parseDateTimeInput(kind, typed) === null
  const [isLeft, setIsLeft] = useState(false)
  const form = t(`when.${kind}`)
  const write = (text: string) => {
    setTyped(text)
    setIsLeft(false)
    onChange(parseDateTimeInput(kind, text) ?? '')
  }
  const leave = () => {
    setIsLeft(true)
    if (!isUnread) setTyped(null)
  }
  const choose = (day: string) => {
    setTyped(null)
    setIsOpen(false)
    // Defaults to the time at which most booking periods start.
    onChange(kind === 'moment' ? `${day}T${value.slice(11, 16) || '08:00'}` : day)
    onChosen?.()
  }
  const isBad = isUnread && isLeft
  return (
    // Has its own stacking context, because the calendar button would otherwise overlap the footer of a dialog.
    <div style={{ isolation: 'isolate' }}>
      <Field label={label} hint={hint} required={required} error={isBad ? t('when.problem', { form }) : undefined}>
        <Input
          name={name}
          value={typed ?? stored}
          placeholder={form}
          inputMode={kind === 'time' ? 'numeric' : 'text'}
          autoComplete="off"
          aria-required={required}
          error={isBad}
          onChange={event => write(event.currentTarget.value)}
          onBlur={leave}
          rightSectionPointerEvents="all"
          rightSection={
            kind !== 'time' && (
              <IconButton
                type="button"
                aria-label={t('when.calendar')}
                aria-expanded={isOpen}
                aria-controls={isOpen ? calendar : undefined}
                onClick={() => setIsOpen(shown => !shown)}
              >
                <IconCalendar />
              </IconButton>
            )
          }
        />
      </Field>
      {isOpen && (
        <div id={calendar}>
          <DayCalendar value={value.slice(0, 10)} onChoose={choose} />
        </div>
      )}
    </div>
  )
}

type CalendarProps = {
  /** selected day, 'YYYY-MM-DD'; '' if there is none */
  value: string
  onChoose(day: string): void
}

/** Calendar of a month in which a day is chosen. */
function DayCalendar({ value, onChoose }: CalendarProps) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <Calendar
        {...(value && { defaultDate: value })}
        size="md"
        highlightToday
        hideOutsideDates
        ariaLabels={{ previousMonth: t('when.previous'), nextMonth: t('when.next') }}
        classNames={{ day: styles({ base: 'calendarDay' }), calendarHeaderLevel: styles({ size: 'l' }) }}
        getDayProps={day => ({ selected: day === value, onClick: () => onChoose(day) })}
      />
    </DatesProvider>
  )
}
