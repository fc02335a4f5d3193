import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { styles } from '#ui/styles.ts'
import { availabilityOf } from '../model.ts'
import classes from './availability.module.css'

const LOOKS = {
  enough: styles({ tone: 'good' }),
  few: styles({ tone: 'signal' }),
  one: styles({ tone: 'signal' }),
  full: styles({ tone: 'ink' }),
}
const TEXTS = { enough: 'enoughOf', few: 'fewOf', one: 'one', full: 'full' }
/** Maximum number of places drawn as figures; more could not be told apart. */
const DRAWN = 40
const WIDTH = 14

/** SVG path of a person's outline (head and shoulders) in a cell of 14 × 20 units. */
const person = (at: number) =>
  `M${at * WIDTH + 4} 6a3 3 0 1 0 6 0a3 3 0 1 0-6 0M${at * WIDTH + 2} 18v-2a5 5 0 0 1 10 0v2z`
const people = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => person(from + index)).join('')

/** The number of free places in words, and a drawing with one figure per place. Booked places are filled in. */
export function Availability({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { kind, free } = availabilityOf(course)
  const { participants } = course
  const booked = participants - Math.max(0, free)
  return (
    <>
      <b className={LOOKS[kind]}>{t(`places.${TEXTS[kind]}`, { count: free, all: participants })}</b>
      {kind === 'full' && course.currentWaiting > 0 ? (
        <small>{t('places.waiting', { count: course.currentWaiting })}</small>
      ) : (
        participants > 0 &&
        participants <= DRAWN && (
          <svg
            className={classes.people}
            viewBox={`0 0 ${participants * WIDTH} 20`}
            role="progressbar"
            aria-valuemin={0}
            aria-valuenow={booked}
            aria-valuemax={participants}
            aria-label={t(`places.${kind}`, { count: free })}
          >
            <path d={people(0, booked)} fill="currentColor" stroke="currentColor" strokeWidth="1.4" />
            <path d={people(booked, participants)} fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        )
      )}
    </>
  )
}
