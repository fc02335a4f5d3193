import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { isMixedScript } from '#contract/normalize.ts'
import { formatMoney } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { noteCall } from '#office/frame/components/note-call-act.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { hasAnyRight } from '#office/frame/model.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Box, Card, Row, Stack, Text } from '#ui/layout.tsx'
import { BookingList, GuestLessonList } from './components/booking-list.tsx'
import { LetterList } from './components/letter-list.tsx'
import { mergePeopleRequest } from './components/merge-fields.tsx'
import {
  bookForPerson,
  changePerson,
  hasFullProfile,
  type OfficePerson,
  toggleLock,
  useDataExport,
  verifyPerson,
} from './components/person-acts.tsx'
import { PersonFacts } from './components/person-facts.tsx'
import { PersonLedger, usePersonLedger } from './components/person-ledger.tsx'
import { PersonTimeline } from './components/person-timeline.tsx'
import { formatDay, splitCurrentAndFormerBookings } from './people-model.ts'
import classes from './person-screen.module.css'

/** One person, with bookings, profile and actions. */
export function PersonScreen({ last }: { last: string }) {
  const { t } = useTranslation('office-people')
  const id = Number(last)
  const reading = useResource('getOfficePerson', { params: { id } })
  const person = reading.data
  if (person === null)
    return (
      <OfficePage title={t('person.title')}>
        <LoadingState reading={reading} />
      </OfficePage>
    )
  return hasFullProfile(person) ? <WholePerson person={person} /> : <NamedPerson person={person} />
}

/** Reduced view for an owner who lacks the `bookings` permission. */
function NamedPerson({ person: { name, email } }: { person: OfficePerson }) {
  const { t } = useTranslation('office-people')
  return (
    <OfficePage title={name || t('noName')} lead={email || t('person.noEmail')}>
      <p>{t('person.onlyName')}</p>
    </OfficePage>
  )
}

type SectionProps = { id: string; title: string; children: ReactNode }

const Section = ({ id, title, children }: SectionProps) => (
  <Card flush layout="stack" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </Card>
)

function WholePerson({ person }: { person: Required<OfficePerson> }) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const exportData = useDataExport(person.id, person.name)
  const mayRecord = useSession(state => hasAnyRight(state.session?.rights ?? [], ['record', 'owner']))
  const ledger = usePersonLedger(person.id)
  const { present, former } = splitCurrentAndFormerBookings(person.bookings)
  const { profile, state, isVerified, isOnPayroll, similar } = person
  const marks = [
    profile.employeeStatus !== 0 && t(`accounts:employeeStatus.${profile.employeeStatus}`),
    person.division,
    person.isInstructor && t('person.instructor'),
    t(`office-people:state.${state}`),
    isOnPayroll && t(isVerified ? 'verified.yes' : 'verified.held'),
    isMixedScript(person.name + person.email) && t('office-people:mixedScript'),
  ].filter(Boolean)
  return (
    <OfficePage
      title={person.name || t('noName')}
      lead={
        <>
          {marks.join(' · ')}
          {ledger && ledger.balance !== null && (
            <>
              {' · '}
              <b>{t('office-money:ledger.balance', { amount: formatMoney(ledger.balance) })}</b>
            </>
          )}
        </>
      }
      actions={
        <>
          {mayRecord && (
            <ButtonLink look="quiet" href={`/office/record?person=${person.id}`}>
              {t('person.record')}
            </ButtonLink>
          )}
          <ActButton look="primary" begin={() => bookForPerson(person)} />
        </>
      }
    >
      <Stack gap="l" className={classes.person}>
        <Stack gap="l">
          <Section id="bookings" title={t('person.bookings')}>
            {present.length === 0 && (
              <Text tone="muted" flush>
                {t('person.noBookings')}
              </Text>
            )}
            <BookingList bookings={present} person={person} />
            {person.guestLessons.length > 0 && <GuestLessonList lessons={person.guestLessons} />}
            {former.length > 0 && (
              <details>
                <summary>{t('person.former', { count: former.length })}</summary>
                <BookingList bookings={former} />
              </details>
            )}
          </Section>
          <Section id="facts" title={t('person.facts')}>
            <PersonFacts person={person} />
            <ProfileActions person={person} />
          </Section>
          {similar.length > 0 && <SimilarPeople person={person} similar={similar} />}
        </Stack>
        <Stack gap="l">
          <Section id="timeline" title={t('timeline.title')}>
            <Row>
              <ActButton look="quiet" begin={() => noteCall(person)} />
            </Row>
            <PersonTimeline webUserId={person.id} />
          </Section>
          {ledger && <PersonLedger person={person} ledger={ledger} />}
          {person.letters.length > 0 && (
            <Section id="letters" title={t('letters.title')}>
              <LetterList letters={person.letters} />
            </Section>
          )}
          {person.documents.length > 0 && <DocumentList documents={person.documents} />}
          <Section id="data" title={t('data.title')}>
            <Text tone="muted" flush>
              {t('data.text')}
            </Text>
            <Row>
              {(['readable', 'json'] as const).map(kind => (
                <Button key={kind} look="quiet" onClick={() => exportData(kind)}>
                  {t(`data.${kind}`)}
                </Button>
              ))}
            </Row>
          </Section>
        </Stack>
      </Stack>
    </OfficePage>
  )
}

function ProfileActions({ person }: { person: Required<OfficePerson> }) {
  const { t } = useTranslation('office-people')
  const [, navigate] = useLocation()
  const { id, name, isOnPayroll, isVerified, state } = person
  return (
    <Row>
      <ActButton look="quiet" data-edit begin={() => changePerson(person)} />
      {isOnPayroll && !isVerified && <ActButton look="quiet" begin={() => verifyPerson(person)} />}
      <ActButton look="quiet" begin={() => toggleLock(person, state === 'locked')} />
      <ActButton look="quiet" begin={() => mergePeopleRequest(person)}>
        {t('merge.with')}
      </ActButton>
      <Button
        look="quiet"
        onClick={() => navigate(`/office/messages?to=person&id=${id}&name=${encodeURIComponent(name)}`)}
      >
        {t('message.title')}
      </Button>
    </Row>
  )
}

type SimilarProps = Pick<Required<OfficePerson>, 'similar'> & { person: OfficePerson }

/** Accounts that may belong to the same person and can be merged. */
function SimilarPeople({ person, similar }: SimilarProps) {
  const { t } = useTranslation('office-people')
  return (
    <Section id="similar" title={t('person.similar')}>
      <Text tone="muted" flush>
        {t('person.similarText')}
      </Text>
      <Box as="ul" bare divided>
        {similar.map(other => (
          <Row as="li" key={other.id} justify="between" py="s">
            <Text grow flush>
              <RecordLink kind="people" id={other.id}>
                {other.name || t('noName')}
              </RecordLink>{' '}
              <Text as="span" tone="muted" flush>
                {other.email || t('person.noEmail')}
              </Text>
            </Text>
            <ActButton look="quiet" isPill begin={() => mergePeopleRequest(person, other)}>
              {t('merge.short')}
            </ActButton>
          </Row>
        ))}
      </Box>
    </Section>
  )
}

/** Documents in the person's inbox, and whether the person has opened them. */
function DocumentList({ documents }: { documents: Required<OfficePerson>['documents'] }) {
  const { t } = useTranslation('office-people')
  return (
    <Section id="documents" title={t('person.documents')}>
      <Box as="ul" bare divided>
        {documents.map(({ id, documentName, title, createdAt, seenAt }) => (
          <Row as="li" key={id} justify="between" py="s">
            <Text grow flush>
              {documentName}{' '}
              <Text as="span" tone="muted" flush>
                {title}, {formatDay(createdAt)}, {t(seenAt ? 'person.opened' : 'person.notOpened')}
              </Text>
            </Text>
          </Row>
        ))}
      </Box>
    </Section>
  )
}
