import { useTranslation } from 'react-i18next'
import { isMixedScript } from '#contract/normalize.ts'
import { formatMoney } from '#contract/words.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import { RecordLink } from '#features/office/components/record-link.tsx'
import { hasAnyRight } from '#features/office/model.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Box, Card, Row, Stack, Text } from '#ui/layout.tsx'
import { BookingList } from './components/booking-list.tsx'
import { LetterList } from './components/letter-list.tsx'
import { hasFullProfile, type Person, usePersonActs } from './components/person-acts.tsx'
import { PersonFacts } from './components/person-facts.tsx'
import { PersonLedger, usePersonLedger } from './components/person-ledger.tsx'
import { formatDay, splitBookings } from './people-model.ts'
import classes from './person-screen.module.css'

/** One person, with bookings, profile and actions. */
export function PersonScreen({ last }: { last: string }) {
  const { t } = useTranslation('office-people')
  const id = Number(last)
  const reading = useResource('getOfficePerson', { params: { id } })
  const person = reading.data
  if (person === null)
    return (
      <DeskPage title={t('person.title')}>
        <ReadingState reading={reading} />
      </DeskPage>
    )
  return hasFullProfile(person) ? <WholePerson person={person} /> : <NamedPerson person={person} />
}

/** Reduced view for an owner who lacks the `bookings` permission. */
function NamedPerson({ person: { name, email } }: { person: Person }) {
  const { t } = useTranslation('office-people')
  return (
    <DeskPage title={name || t('noName')} lead={email || t('person.noEmail')}>
      <p>{t('person.onlyName')}</p>
    </DeskPage>
  )
}

function WholePerson({ person }: { person: Required<Person> }) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const acts = usePersonActs(person)
  const mayRecord = useSession(state => hasAnyRight(state.session?.rights ?? [], ['record', 'owner']))
  const ledger = usePersonLedger(person.id)
  const { present, former } = splitBookings(person.bookings)
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
    <DeskPage
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
        <Card flush layout="stack" aria-labelledby="bookings">
          <h2 id="bookings">{t('person.bookings')}</h2>
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
        </Card>
        <Card flush layout="stack" aria-labelledby="facts">
          <h2 id="facts">{t('person.facts')}</h2>
          <PersonFacts person={person} />
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
        </Card>
        {ledger && <PersonLedger person={person} ledger={ledger} />}
        {similar.length > 0 && (
          <Card flush layout="stack" aria-labelledby="similar">
            <h2 id="similar">{t('person.similar')}</h2>
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
                  <Button look="quiet" isPill onClick={() => acts.merge(other)}>
                    {t('merge.short')}
                  </Button>
                </Row>
              ))}
            </Box>
          </Card>
        )}
        {person.letters.length > 0 && (
          <Card flush layout="stack" aria-labelledby="letters">
            <h2 id="letters">{t('letters.title')}</h2>
            <LetterList letters={person.letters} />
          </Card>
        )}
        {person.documents.length > 0 && (
          <Card flush layout="stack" aria-labelledby="documents">
            <h2 id="documents">{t('person.documents')}</h2>
            <Box as="ul" bare divided>
              {person.documents.map(({ id, documentName, title, createdAt, seenAt }) => (
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
          </Card>
        )}
        <Card flush layout="stack" aria-labelledby="data">
          <h2 id="data">{t('data.title')}</h2>
          <Text tone="muted" flush>
            {t('data.text')}
          </Text>
          <Row>
            {(['readable', 'json'] as const).map(kind => (
              <Button key={kind} look="quiet" onClick={() => acts.answer(kind)}>
                {t(`data.${kind}`)}
              </Button>
            ))}
          </Row>
        </Card>
      </Stack>
    </DeskPage>
  )
}
