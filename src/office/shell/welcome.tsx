import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { RIGHTS } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { type PortalSetupState, TodayScreen } from '#office/frame/today-screen.tsx'
import { saveCategory, saveDivision, saveInstructor, saveRoom } from '#office/programme/components/basic-acts.tsx'
import { createCourse, createSeason, publishSeason } from '#office/programme/components/season-acts.tsx'
import { useCourseFormOptions } from '#office/programme/use-course-form-options.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { IconCheck } from '#ui/shell-icons.ts'

/** The *Today* screen. Until the first season is published, it shows a guide to publishing it. */
export const TodayWithWelcome = () => <TodayScreen welcome={setup => <Welcome setup={setup} />} />

type StepProps = { title: string; text: string; isDone: boolean; children: ReactNode }

function Step({ title, text, isDone, children }: StepProps) {
  const { t } = useTranslation('office')
  return (
    <Card as="li" gap="s" flush layout="stack">
      <Text as="h2" variant="heading">
        {title}{' '}
        {isDone && (
          <Text as="span" tone="good">
            <IconCheck size={20} />
            <span className="visually-hidden">{t('welcome.done')}</span>
          </Text>
        )}
      </Text>
      <Text tone="muted">{text}</Text>
      <Row>{children}</Row>
    </Card>
  )
}

/** Guide with four steps to the first published course. */
function Welcome({ setup: { officers, categories, courses } }: { setup: PortalSetupState }) {
  const { t } = useTranslation(['office', 'office-programme'])
  const [, navigate] = useLocation()
  const rights = useSession(state => state.session?.rights) ?? []
  const mayPlan = rights.includes('programme')
  const seasons = useCompleteList('listOfficeSeasons', mayPlan ? {} : null)
  const categoryList = useCompleteList('listOfficeCategories', mayPlan ? {} : null)
  const options = useCourseFormOptions(seasons.data ?? [], categoryList.data ?? [])
  const season = seasons.data?.[0]
  const draft = seasons.data?.find(one => one.draft)
  const isOwner = rights.includes('owner')
  return (
    <OfficePage title={t('welcome.title')} lead={t('welcome.lead')}>
      <Stack as="ol" width="reading">
        <Step title={`1. ${t('welcome.rights')}`} text={t('welcome.rightsText')} isDone={mayPlan && officers > 1}>
          {isOwner && !mayPlan && <TakeRights />}
          {isOwner && (
            <ButtonLink look="quiet" isPill href="/office/rights">
              {t('welcome.toRights')}
            </ButtonLink>
          )}
        </Step>
        {mayPlan && (
          <>
            <Step title={`2. ${t('welcome.basics')}`} text={t('welcome.basicsText')} isDone={categories > 0}>
              <ActButton look={categories > 0 ? 'quiet' : 'primary'} isPill begin={() => saveCategory()} />
              <ActButton look="quiet" isPill begin={() => saveRoom()} />
              <ActButton look="quiet" isPill begin={() => saveInstructor()} />
              <ActButton look="quiet" isPill begin={() => saveDivision()} />
              {rights.includes('bookings') && (
                <ButtonLink look="quiet" isPill href="/office/hr-list">
                  {t('welcome.hrList')}
                </ButtonLink>
              )}
            </Step>
            <Step title={`3. ${t('welcome.season')}`} text={t('welcome.seasonText')} isDone={season !== undefined}>
              {/* A new season's page is not opened, because the guide continues on this screen. */}
              <ActButton look={season ? 'quiet' : 'primary'} isPill begin={() => createSeason(() => undefined)} />
              <Button look="quiet" isPill onClick={() => navigate('/office/import')}>
                {t('welcome.import')}
              </Button>
            </Step>
            <Step title={`4. ${t('welcome.course')}`} text={t('welcome.courseText')} isDone={false}>
              {season && (
                <ActButton
                  look={courses > 0 ? 'quiet' : 'primary'}
                  isPill
                  begin={() => createCourse(season, options)}
                />
              )}
              {draft && courses > 0 && <ActButton look="primary" isPill begin={() => publishSeason(draft)} />}
            </Step>
          </>
        )}
      </Stack>
    </OfficePage>
  )
}

/** Lets owners grant themselves all the permissions they lack, in a single dialog. */
function TakeRights() {
  const { t } = useTranslation('office')
  const webUserId = useSession(state => state.session?.webUserId)
  const self = useCompleteList('listRights').data?.find(one => one.webUserId === webUserId)
  const missing = RIGHTS.filter(right => !self?.rights.includes(right))
  const [first, ...others] = missing.map(right => ({
    kind: 'grant-right' as const,
    email: self?.email ?? '',
    right,
  }))
  if (!first || !self) return null
  return (
    <Button
      look="primary"
      isPill
      onClick={() =>
        startAct<'grant-right'>({
          act: first,
          others,
          title: t('welcome.takeAll'),
          about: missing.map(right => t(`right.${right}`)).join(', '),
          onDone: () => void useSession.getState().check(),
        })
      }
    >
      {t('welcome.takeAll')}
    </Button>
  )
}
