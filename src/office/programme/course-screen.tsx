import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { COURSE_FORM_GROUPS } from '#contract/office/programme.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { repriceCourse } from '#office/money/components/course-money-acts.tsx'
import { CourseSettlement } from '#office/money/components/course-settlement.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { labelFieldValues, type SelectOptionsByKind } from './components/act-fields.tsx'
import {
  addLesson,
  type CourseSummary,
  changeCourse,
  type NamedCourse,
  removeCourse,
  setCourseState,
} from './components/course-acts.tsx'
import classes from './components/course-facts.module.css'
import { CourseLessons } from './components/course-lessons.tsx'
import { CoursePeople } from './components/course-people.tsx'
import { bookForCourse, messageCourse } from './components/participant-acts.tsx'
import { Tabs } from './components/tabs.tsx'
import { saveTemplate, templateFieldsOf } from './components/template-acts.tsx'
import { formatDateTime } from './model.ts'
import type { OfficeCourse } from './resource.ts'
import { useCourseFormOptions } from './use-course-form-options.ts'

export function CourseScreen({ last }: { last: string }) {
  const id = Number(last)
  const reading = useResource('getOfficeCourse', { params: { id } })
  return reading.data === null ? <LoadingState reading={reading} /> : <Course read={reading.data} />
}

function Course({ read }: { read: OfficeCourse }) {
  const { t } = useTranslation(['office-programme', 'office-money'])
  const language = useLanguage()
  const rights = useSession(state => state.session?.rights) ?? []
  const mayChange = hasAnyRight(rights, ['programme'])
  const mayBook = hasAnyRight(rights, ['bookings'])
  const mayRecord = hasAnyRight(rights, ['record', 'owner'])
  const mayBill = hasAnyRight(rights, ['billing'])
  const seasons = useCompleteList('listOfficeSeasons')
  const categories = useCompleteList('listOfficeCategories', mayChange ? {} : null)
  const rooms = useCompleteList('listRooms', mayChange ? {} : null)
  const instructors = useCompleteList('listOfficeInstructors', mayChange ? {} : null)
  const options = useCourseFormOptions(seasons.data ?? [], categories.data ?? [])
  const [tab, setTab] = useUrlParam('tab')
  const { course, version } = read
  const named = { ...course, version }
  const tabs = [
    { key: 'facts', label: t('tab.facts') },
    { key: 'lessons', label: t('tab.lessons', { count: read.lessons.length }) },
    ...(mayBook
      ? [
          { key: 'people', label: t('tab.people', { count: read.booked.length }) },
          { key: 'messages', label: t('tab.messages') },
        ]
      : []),
    ...(mayBill ? [{ key: 'settlement', label: t('tab.settlement') }] : []),
    ...(mayRecord ? [{ key: 'record', label: t('tab.record') }] : []),
  ]
  const present = tabs.find(({ key }) => key === tab)?.key ?? 'facts'
  return (
    <OfficePage
      title={`${course.number} ${nameInLanguage(language, course)}`}
      lead={
        <>
          <Link href={`/office/season?season=${course.seasonId}`}>
            {nameInLanguage(language, { name: course.season, name2: course.season2 })}
          </Link>
          {` · ${t(course.cancelled ? 'state.cancelled' : course.confirmed ? 'state.confirmed' : 'state.open')}`}
          {` · ${t('season.booked', { booked: Math.min(course.currentParticipants, course.participants), places: course.participants })}`}
          {` · ${t('season.waiting', { count: course.currentWaiting })}`}
        </>
      }
      actions={
        <CourseActions read={read} options={options} mayBook={mayBook} mayBill={mayBill} mayChange={mayChange} />
      }
    >
      <Tabs tabs={tabs} present={present} label={t('tab.label')} onChoose={setTab}>
        {present === 'facts' && <CourseFacts read={read} options={options} {...(mayChange && { removable: named })} />}
        {present === 'lessons' && (
          <CourseLessons
            read={read}
            mayChange={mayChange}
            mayRecord={mayBook}
            mayBill={mayBill}
            rooms={rooms.data ?? []}
            instructors={instructors.data ?? []}
            toAdded={() => addLesson(named, String(read.columns.startTime), String(read.columns.endTime))}
          />
        )}
        {present === 'people' && <CoursePeople read={read} course={named} />}
        {present === 'messages' && <Messages read={read} course={named} />}
        {present === 'settlement' && <CourseSettlement courseId={course.id} />}
        {present === 'record' && <CourseRecord courseId={course.id} />}
      </Tabs>
    </OfficePage>
  )
}

type ActionsProps = {
  read: OfficeCourse
  options: SelectOptionsByKind
  mayBook: boolean
  mayBill: boolean
  mayChange: boolean
}

function CourseActions({ read, options, mayBook, mayBill, mayChange }: ActionsProps) {
  const { t } = useTranslation('office-programme')
  const { course, version } = read
  const named = { ...course, version }
  const { externalFee } = read.columns
  const nowWallMs = useLocalTimeMs()
  const isOver =
    read.lessons.length > 0 && read.lessons.every(({ date, endTime }) => Date.parse(`${date}T${endTime}Z`) <= nowWallMs)
  return (
    <>
      {mayBook && !isOver && <ActButton look="primary" isPill begin={() => bookForCourse(named)} />}
      {mayBill && (
        <ActButton
          look="quiet"
          isPill
          begin={() =>
            repriceCourse(
              { ...course, courseId: course.id },
              {
                fee: course.fee,
                energyFee: course.energyFee,
                externalFee: typeof externalFee === 'number' ? externalFee : null,
              },
            )
          }
        />
      )}
      {mayChange && (
        <>
          <ActButton look="quiet" isPill data-edit begin={() => changeCourse(read, options)} />
          <ActButton look="quiet" isPill begin={() => saveTemplate(options, undefined, templateFieldsOf(read.columns))}>
            {t('template.fromCourse')}
          </ActButton>
          {!course.cancelled && (
            <ActButton
              look="quiet"
              isPill
              begin={() => setCourseState(course.confirmed ? 'unconfirm-course' : 'confirm-course', [named])}
            />
          )}
          <ActButton
            look={course.cancelled ? 'quiet' : 'danger'}
            isPill
            begin={() => setCourseState(course.cancelled ? 'restore-course' : 'cancel-course', [named])}
          />
        </>
      )}
    </>
  )
}

function Messages({ read, course }: { read: OfficeCourse; course: NamedCourse }) {
  const { t } = useTranslation('office-programme')
  return (
    <>
      <Row my="m">
        <ActButton look="primary" isPill begin={() => messageCourse(course, 'course')}>
          {t('message.booked', { count: read.booked.length })}
        </ActButton>
        {read.waiting.length > 0 && (
          <ActButton look="quiet" isPill begin={() => messageCourse(course, 'waiting')}>
            {t('message.waiting', { count: read.waiting.length })}
          </ActButton>
        )}
      </Row>
      {read.messages.length === 0 && <p>{t('message.none')}</p>}
      <Stack as="ul">
        {read.messages.map(({ recordId, at, text }) => (
          <Card as="li" key={recordId} flush>
            <Text as="small" size="s">
              {formatDateTime(at)}
            </Text>
            <Text preLine>{text}</Text>
          </Card>
        ))}
      </Stack>
    </>
  )
}

function CourseRecord({ courseId }: { courseId: number }) {
  const { t } = useTranslation(['office-programme', 'office'])
  const reading = useResource('listRecord', { query: { course: courseId } })
  if (reading.data === null) return <LoadingState reading={reading} />
  if (reading.data.items.length === 0) return <p>{t('record.none')}</p>
  return (
    <Stack as="ul">
      {reading.data.items.map(({ recordId, at, kind, text }) => (
        <Card as="li" key={recordId} flush>
          <Text as="small" size="s">
            {formatDateTime(at)}
          </Text>
          <Text preLine>
            <b>{t(`office:kind.${kind}`, { defaultValue: kind })}</b>
            {text && `: ${text}`}
          </Text>
        </Card>
      ))}
    </Stack>
  )
}

type Props = { read: OfficeCourse; options: SelectOptionsByKind; removable?: CourseSummary }

/** All fields of a course in groups, except empty ones. */
function CourseFacts({ read: { columns }, options, removable }: Props) {
  const { t } = useTranslation('office-programme')
  return (
    <div className={classes.facts}>
      {COURSE_FORM_GROUPS.map(({ group, fields }) => {
        const facts = labelFieldValues(fields, columns, options).filter(({ value }) => value !== '')
        return (
          facts.length > 0 && (
            <Card key={group}>
              <Text as="h2" variant="heading">
                {t(`group.${group}`)}
              </Text>
              <Stack as="dl" gap="s" pairs>
                {facts.map(({ name, label, value }) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <Text as="dd" preLine>
                      {value}
                    </Text>
                  </div>
                ))}
              </Stack>
            </Card>
          )
        )
      })}
      {removable && (
        <p>
          <ActButton begin={() => removeCourse(removable)} />
        </p>
      )}
    </div>
  )
}
