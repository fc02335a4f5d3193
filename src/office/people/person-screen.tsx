import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isMixedScript } from '#contract/normalize.ts'
import { formatMoney } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { hasAnyRight } from '#office/frame/model.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Box, Card, Row, Stack, Text } from '#ui/layout.tsx'
import { BookingList } from './components/booking-list.tsx'
import { LetterList } from './components/letter-list.tsx'
import { hasFullProfile, type OfficePerson, usePersonActs } from './components/person-acts.tsx'
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

type Acts = ReturnType<typeof usePersonActs>

function WholePerson({ person }: { person: Required<OfficePerson> }) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const acts = usePersonActs(person)
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
          <Button look="primary" onClick={acts.book}>
            {t('book.title')}
          </Button>
        </>
      }
    >
      <Stack gap="l" className={classes.person}>
        <Section id="bookings" title={t('person.bookings')}>
          {present.length === 0 && (
            <Text tone="muted" flush>
              {t('person.noBookings')}
            </Text>
          )}
          <BookingList bookings={present} onCancel={acts.cancel} onMove={acts.move} />
          {former.length > 0 && (
            <details>
              <summary>{t('person.former', { count: former.length })}</summary>
              <BookingList bookings={former} />
            </details>
          )}
        </Section>
        <Section id="facts" title={t('person.facts')}>
          <PersonFacts person={person} />
          <ProfileActions person={person} acts={acts} />
        </Section>
        <Section id="timeline" title={t('timeline.title')}>
          <Row>
            <Button look="quiet" onClick={acts.noteCall}>
              {t('timeline.noteCall')}
            </Button>
          </Row>
          <PersonTimeline webUserId={person.id} />
        </Section>
        {ledger && <PersonLedger person={person} ledger={ledger} />}
        {similar.length > 0 && <SimilarPeople similar={similar} onMerge={acts.merge} />}
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
              <Button key={kind} look="quiet" onClick={() => acts.exportData(kind)}>
                {t(`data.${kind}`)}
              </Button>
            ))}
          </Row>
        </Section>
      </Stack>
    </OfficePage>
  )
}

function ProfileActions({
  person: { isOnPayroll, isVerified, state },
  acts,
}: {
  person: Required<OfficePerson>
  acts: Acts
}) {
  const { t } = useTranslation('office-people')
  return (
    <Row>
      <Button look="quiet" data-edit onClick={acts.change}>
        {t('change.title')}
      </Button>
      {isOnPayroll && !isVerified && (
        <Button look="quiet" onClick={acts.verify}>
          {t('verify.title')}
        </Button>
      )}
      <Button look="quiet" onClick={acts.lock}>
        {t(state === 'locked' ? 'unlock.title' : 'lock.title')}
      </Button>
      <Button look="quiet" onClick={() => acts.merge()}>
        {t('merge.with')}
      </Button>
      <Button look="quiet" onClick={acts.message}>
        {t('message.title')}
      </Button>
    </Row>
  )
}

type SimilarProps = { similar: Required<OfficePerson>['similar']; onMerge: Acts['merge'] }

/** Accounts that may belong to the same person and can be merged. */
function SimilarPeople({ similar, onMerge }: SimilarProps) {
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
            <Button look="quiet" isPill onClick={() => onMerge(other)}>
              {t('merge.short')}
            </Button>
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
