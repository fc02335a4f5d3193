import { useTranslation } from 'react-i18next'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { formatMoney, textInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActButton } from './act-button.tsx'
import { PersonLink } from './person-link.tsx'
import { RecordLink } from './record-link.tsx'
import { TaskGroup, TaskLine } from './task-list.tsx'
import type { TodayData } from './today-acts.ts'

/** Tasks for people who can be billed neither through payroll nor by invoice, because data is missing. */
export function PeopleTasks({ today }: { today: TodayData }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { unverified = [], withoutPayer = [], numberConflicts = [], passedOver = [] } = today
  return (
    <>
      <TaskGroup list="withoutPayer">
        {withoutPayer.map(({ webUserId, name, courseId, courseName, courseName2, number, amount, missing }, index) => (
          <TaskLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a course may be booked, ended with a charge and booked again
            key={`${webUserId} ${courseId} ${index}`}
            title={<PersonLink id={webUserId} name={name} />}
            text={t('today.payerMissing', {
              course: `${number} ${textInLanguage(language, courseName, courseName2)}`,
              sum: formatMoney(amount),
              field: PROFILE_FIELD_LABELS[language][missing],
            })}
          >
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.complete')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="numberConflicts">
        {numberConflicts.map(({ webUserId, version, name, email, personnelNumber, otherNumber }) => (
          <TaskLine
            key={webUserId}
            title={<PersonLink id={webUserId} name={name} />}
            text={t('today.numberConflict', { email, personnelNumber, otherNumber })}
          >
            <ActButton
              data-edit
              begin={() => ({
                act: { kind: 'change-person', webUserId, version, personnelNumber: otherNumber },
                title: t('today.takeNumber'),
                about: `${name}: ${personnelNumber} → ${otherNumber}`,
              })}
            />
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.changeAddress')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="passedOver">
        {passedOver.map(({ webUserId, name, courseId, courseName, courseName2, number, why }) => (
          <TaskLine
            key={`${webUserId} ${courseId}`}
            title={<PersonLink id={webUserId} name={name} />}
            text={t(`today.passedOverBecause.${why}`, {
              course: `${number} ${textInLanguage(language, courseName, courseName2)}`,
            })}
          >
            <ActButton
              data-edit
              begin={() => ({
                act: { kind: 'cancel-booking', webUserId, courseId, charge: 'none' },
                title: t('today.endWaiting'),
                about: `${name}, ${number}`,
              })}
            />
            <RecordLink kind="people" id={webUserId} isAct>
              {t('today.openPerson')}
            </RecordLink>
          </TaskLine>
        ))}
      </TaskGroup>
      <TaskGroup list="unverified">
        {unverified.map(({ webUserId, version, name, personnelNumber }) => (
          <TaskLine key={webUserId} title={<PersonLink id={webUserId} name={name} />} text={personnelNumber}>
            <ActButton
              data-edit
              begin={() => ({
                act: { kind: 'verify-person', webUserId, version },
                title: t('today.verify'),
                about: [name, personnelNumber].filter(Boolean).join(', '),
              })}
            />
          </TaskLine>
        ))}
      </TaskGroup>
    </>
  )
}
