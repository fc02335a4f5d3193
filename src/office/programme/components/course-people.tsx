import { useTranslation } from 'react-i18next'
import { formatMoney } from '#contract/words.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { Text } from '#ui/layout.tsx'
import { formatFullDate } from '../model.ts'
import type { OfficeCourse, Participant } from '../resource.ts'
import { cancelParticipant, messageParticipants, moveParticipant, moveParticipants } from './participant-acts.tsx'

type Props = {
  read: OfficeCourse
  course: OfficeCourse['course'] & { version: number }
}

function useParticipantColumns(): Column<Participant>[] {
  const { t } = useTranslation(['office-programme', 'office', 'accounts'])
  const statusOf = ({ employeeStatus }: Participant) =>
    employeeStatus ? t(`accounts:employeeStatus.${employeeStatus}`) : ''
  const attendanceOf = ({ held, present }: Participant) => held > 0 && `${present}/${held}`
  return [
    {
      key: 'name',
      label: t('list.name'),
      isName: true,
      value: ({ name }) => name,
      show: ({ webUserId, name }) => (
        <RecordLink kind="people" id={webUserId}>
          {name}
        </RecordLink>
      ),
    },
    {
      key: 'phone',
      label: t('list.phone'),
      value: ({ phone }) => phone,
      show: ({ phone }) => phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>,
    },
    {
      key: 'status',
      label: t('list.status'),
      value: statusOf,
      fold: statusOf,
    },
    {
      key: 'attendance',
      label: t('list.attendance'),
      value: ({ present }) => present,
      show: attendanceOf,
      fold: attendanceOf,
    },
    {
      key: 'payer',
      label: t('list.payer'),
      isWideOnly: true,
      isCut: true,
      value: ({ billingType }) => (billingType ? t(`accounts:billingType.${billingType}`) : ''),
    },
    {
      key: 'since',
      label: t('list.since'),
      isWideOnly: true,
      value: ({ since }) => since,
      show: ({ since }) => formatFullDate(since),
    },
    {
      key: 'price',
      label: t('list.price'),
      isWideOnly: true,
      value: ({ price }) => price,
      show: ({ price, chargeAmount }) =>
        chargeAmount > 0
          ? `${formatMoney(price)} (${t('office:charge.due', { sum: formatMoney(chargeAmount) })})`
          : formatMoney(price),
    },
  ]
}

export function CoursePeople({ read, course }: Props) {
  const { t } = useTranslation('office-programme')
  const columns = useParticipantColumns()
  const lists = [
    { key: 'booked', people: read.booked },
    { key: 'waiting', people: read.waiting },
    { key: 'former', people: read.former },
  ] as const
  return lists
    .filter(({ key, people }) => key === 'booked' || people.length > 0)
    .map(({ key, people }) => (
      <section key={key}>
        <Text as="h2" variant="heading" py="s">
          {t(`people.${key}`, { count: people.length })}
        </Text>
        <OfficeTable
          caption={t(`people.${key}`, { count: people.length })}
          name={key}
          hasNoSearch={people.length < 10}
          columns={columns}
          rows={people}
          idOf={({ webUserId, since }) => `${webUserId} ${since}`}
          empty={t('people.nobody')}
          {...(key === 'booked' && {
            selection: (chosen: Participant[], clear: () => void) => (
              <>
                <ActButton look="primary" isPill begin={() => messageParticipants(course, chosen, clear)} />
                <ActButton look="quiet" isPill begin={() => moveParticipants(course, chosen, clear)} />
              </>
            ),
          })}
          {...(key !== 'former' && {
            actions: (person: Participant) => (
              <>
                <ActButton begin={() => moveParticipant(course, person)}>{t('people.move')}</ActButton>
                <ActButton begin={() => cancelParticipant(course, person, key === 'waiting')}>
                  {t('people.cancel')}
                </ActButton>
              </>
            ),
          })}
        />
      </section>
    ))
}
