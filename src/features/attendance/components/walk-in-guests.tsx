import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GUEST_NAME_LENGTH } from '#contract/endpoints/attendance.ts'
import { showError } from '#lib/toast.ts'
import { newUuid } from '#lib/uuid.ts'
import { Button } from '#ui/button.tsx'
import { CardBody, Columns, IconButton } from '#ui/layout.tsx'
import { IconX } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import type { GuestRow } from '../model.ts'
import { noteGuest, outbox } from '../store.ts'
import classes from './attendance-row.module.css'
import { FACTS, NAME, PERSON, syncStateClass } from './attendance-row.tsx'
import gym from './gym.module.css'
import { RejectedChange } from './rejected-change.tsx'

type Props = {
  courseId: number
  courseDateId: number
  guests: GuestRow[]
  isLocked: boolean
  /** search text that matched nobody: suggested as the guest's name */
  wanted: string
  onNoted: () => void
}

/** Walk-in guests: recorded by name in the outbox; the office UI assigns them a seat later. */
export function WalkInGuests({ courseId, courseDateId, guests, isLocked, wanted, onNoted }: Props) {
  const { t } = useTranslation('attendance')
  const [typed, setTyped] = useState('')
  const name = (typed || wanted).replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const tell = (error: Error) => showError(error.message || t('notStored'))
  const note = (event: FormEvent) => {
    event.preventDefault()
    if (name === '') return
    setTyped('')
    onNoted()
    noteGuest(courseId, { courseDateId, guestId: newUuid(), name }).catch(tell)
  }
  if (isLocked && guests.length === 0) return null
  return (
    <CardBody as="section" layout="stack">
      <h2>{t('guests.title')}</h2>
      <Columns as="ul" gap="none" hidden={guests.length === 0}>
        {guests.map(guest => (
          <li key={guest.guestId} className={classes.row} data-state={guest.state}>
            <div className={classes.tick}>
              <span className={PERSON}>
                <span className={NAME}>{guest.name}</span>
                <span className={FACTS}>
                  <span className={syncStateClass(guest.state)}>{t(`state.${guest.state}`)}</span>
                </span>
              </span>
              {!isLocked && guest.state !== 'refused' && (
                <IconButton
                  type="button"
                  aria-label={t('guests.takeBack', { name: guest.name })}
                  onClick={() => {
                    const { guestId, name: noted } = guest
                    noteGuest(courseId, { courseDateId, guestId, name: noted }, false).catch(tell)
                  }}
                >
                  <IconX />
                </IconButton>
              )}
            </div>
            {guest.entry && guest.state === 'refused' && (
              <RejectedChange
                name={guest.name}
                reason={guest.reason}
                markAtServer={null}
                onDecide={decision => guest.entry && outbox[decision](guest.entry).catch(tell)}
              />
            )}
          </li>
        ))}
      </Columns>
      {!isLocked && (
        <form className={gym.tools} onSubmit={note}>
          <input
            className={styles({ base: 'input', grow: true })}
            maxLength={GUEST_NAME_LENGTH}
            autoComplete="off"
            aria-label={t('guests.name')}
            placeholder={t('guests.name')}
            value={typed || wanted}
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" look="quiet" isPill disabled={name === ''}>
            {t('guests.note')}
          </Button>
        </form>
      )}
    </CardBody>
  )
}
