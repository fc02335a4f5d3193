import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { IconCalendar } from '#office/frame/components/office-icons.tsx'
import { addDays, weekdayOf } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { Box, FieldGrid, Row } from '#ui/layout.tsx'
import { formatFullDate, formatShortDay } from '../model.ts'
import type { PlanRow } from '../plan-model.ts'
import { MAX_ZOOM, type PlanView } from '../use-plan-view.ts'
import classes from './plan-grid.module.css'

type Props = {
  view: PlanView
  rows: readonly PlanRow[]
  onPrint: () => void
  /** downloads the sheets for the doors of the rooms */
  onSheets: () => void
  /** number of conflicts */
  children: ReactNode
}

/** Toolbar for choosing the plan's time span, its rows, and the zoom level. */
export function PlanBar({ view, rows, onPrint, onSheets, children }: Props) {
  const { t } = useTranslation('office-programme')
  const { monday, days, isDay, by, zoom } = view
  const [first = monday] = days
  const [isCalendarOpen, setIsCalendarOpen] = useState(false)
  const unit = isDay ? 'day' : 'week'
  return (
    <>
      <Row className={classes.bar}>
        <Row gap="s">
          <Arrow label={t(`grid.before.${unit}`)} sign="‹" onPress={() => view.step(-1)} />
          <b aria-live="polite">
            {isDay
              ? `${t(`day.${weekdayOf(first)}`)} ${formatFullDate(first)}`
              : `${formatShortDay(monday)} – ${formatFullDate(addDays(monday, 6))}`}
          </b>
          <Arrow label={t(`grid.after.${unit}`)} sign="›" onPress={() => view.step(1)} />
          <Button
            look="quiet"
            isPill
            className={classes.unprinted}
            aria-label={t('grid.goTo')}
            aria-expanded={isCalendarOpen}
            onClick={() => setIsCalendarOpen(!isCalendarOpen)}
          >
            <IconCalendar />
          </Button>
          {view.isMoved && (
            <Button look="text" className={classes.unprinted} onClick={view.reset}>
              {t('grid.present')}
            </Button>
          )}
        </Row>
        <Toggle
          label={t('grid.view')}
          options={[
            { label: t('grid.week'), isOn: !isDay, onPress: view.showWeek },
            { label: t('grid.day'), isOn: isDay, onPress: () => view.showDay() },
          ]}
        />
        <Toggle
          label={t('grid.by')}
          options={[
            { label: t('grid.room'), isOn: by === 'room', onPress: () => view.showBy('room') },
            { label: t('grid.instructor'), isOn: by === 'instructor', onPress: () => view.showBy('instructor') },
          ]}
        />
        <span className={classes.unprinted}>
          <FilterSelect
            label={t(`grid.only.${by}`)}
            name="only"
            options={rows.filter(({ key }) => key !== '').map(({ key, label }) => ({ value: key, label }))}
          />
        </span>
        <div className={classes.joined}>
          <Arrow label={t('grid.smaller')} sign="−" isOff={zoom === 0} onPress={() => view.zoomTo(zoom - 1)} />
          <Arrow label={t('grid.larger')} sign="+" isOff={zoom === MAX_ZOOM} onPress={() => view.zoomTo(zoom + 1)} />
        </div>
        <Button look="quiet" isPill className={classes.unprinted} onClick={onPrint}>
          {t('grid.print')}
        </Button>
        {by === 'room' && (
          <Button look="quiet" isPill className={classes.unprinted} onClick={onSheets}>
            {t('grid.sheets')}
          </Button>
        )}
        {children}
      </Row>
      {isCalendarOpen && (
        <FieldGrid>
          <DateTimeField
            kind="date"
            label={t('grid.goTo')}
            value={first}
            startsOpen
            onChange={day => day !== '' && view.show(day)}
            onChosen={() => setIsCalendarOpen(false)}
          />
        </FieldGrid>
      )}
    </>
  )
}

type ArrowProps = { label: string; sign: string; isOff?: boolean; onPress: () => void }

const Arrow = ({ label, sign, isOff, onPress }: ArrowProps) => (
  <Button
    look="quiet"
    isPill
    className={classes.unprinted}
    aria-label={label}
    {...(isOff && { 'aria-disabled': true })}
    onClick={onPress}
  >
    {sign}
  </Button>
)

type Option = { label: string; isOn: boolean; onPress: () => void }

const Toggle = ({ label, options }: { label: string; options: readonly Option[] }) => (
  <Box as="fieldset" bare className={classes.joined}>
    <legend className="visually-hidden">{label}</legend>
    {options.map(option => (
      <Button key={option.label} look="quiet" isPill aria-pressed={option.isOn} onClick={option.onPress}>
        {option.label}
      </Button>
    ))}
  </Box>
)
