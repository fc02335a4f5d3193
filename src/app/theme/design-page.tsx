import './fonts.css'
import './tokens.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import i18next from 'i18next'
import { type ReactNode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RegistrationSteps } from '#features/accounts/components/registration-steps.tsx'
import { CourseCards } from '#features/courses/components/course-cards.tsx'
import { useCourseIndex, useCourses } from '#features/courses/resource.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Accordion } from '#ui/accordion.tsx'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#ui/form.tsx'
import { Box, Row, Stack, Surface, Text } from '#ui/layout.tsx'
import { theme } from '#ui/mantine-theme.ts'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { BASE_CLASSES, BOOLEAN_STYLE_PROPS, ENUM_STYLE_PROPS } from '#ui/style-values.ts'
import { TextField } from '#ui/text-field.tsx'
import { initializeTexts } from '../../i18n/i18n.ts'
import { Toasts } from '../shell/toasts.tsx'
import '#ui/mantine-variables.css'
import tokens from './tokens.css?raw'

/** Style guide. During development, `/design.html` shows four frames and `?scheme=dark&language=en` a single one. */
const LOOKS = ['primary', 'plain', 'ghost', 'quiet', 'signal', 'danger', 'text', 'light'] as const
const TOKENS = [...new Set([...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name = '']) => name))].filter(
  name => !name.startsWith('--font'),
)
const NAMES = [
  ...BASE_CLASSES,
  ...Object.entries(ENUM_STYLE_PROPS).flatMap(([prop, values]) => values.map(value => `${prop}-${value}`)),
  ...BOOLEAN_STYLE_PROPS,
]
const isSize = (name: string) => /^--(?:text|space|radius)-/.test(name)

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack as="section">
      <h2>{name}</h2>
      {children}
    </Stack>
  )
}

function Tokens() {
  return (
    <>
      <Part name="tokens.css">
        <Row>
          {TOKENS.filter(name => !isSize(name)).map(name => (
            <Text as="span" key={name} size="s">
              <i style={{ display: 'block', width: 96, height: 32, background: `var(${name})` }} />
              {name}
            </Text>
          ))}
        </Row>
        {TOKENS.filter(name => name.startsWith('--text')).map(name => (
          <span key={name} style={{ fontSize: `var(${name})`, lineHeight: 1.1 }}>
            {name} Rückenfit
          </span>
        ))}
        <Row>
          {TOKENS.filter(name => /--(?:space|radius)/.test(name)).map(name => (
            <Text as="span" key={name} size="s">
              <Surface
                as="i"
                style={
                  name.startsWith('--space')
                    ? { display: 'block', width: `var(${name})`, height: 24, background: 'var(--signal)' }
                    : { display: 'block', width: 72, height: 48, borderRadius: `var(${name})` }
                }
              />
              {name}
            </Text>
          ))}
        </Row>
      </Part>
      <Part name="styles.css">
        {NAMES.map(name => (
          // Each example has a positioned container because some extend to their nearest positioned ancestor.
          <Box key={name} raised style={{ overflow: 'hidden' }}>
            <div className={`ui-${name}`}>
              <span>{name}</span> <span>{name}</span>
            </div>
          </Box>
        ))}
      </Part>
    </>
  )
}

function Controls() {
  const { t } = i18next
  const [text, setText] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const close = () => setOpen(null)
  const label = t('courses:details.share')
  return (
    <>
      {[false, true].map(isPill => (
        <Part key={String(isPill)} name={isPill ? 'Button isPill' : 'Button'}>
          {LOOKS.map(look => (
            <Row key={look} style={look === 'light' ? { background: 'var(--hall)' } : {}}>
              <Button look={look} isPill={isPill}>
                {label}
              </Button>
              <Button look={look} isPill={isPill} disabled>
                {label}
              </Button>
              <code>{look}</code>
            </Row>
          ))}
        </Part>
      ))}
      <Part name="Form, TextField, ChoiceField">
        <RegistrationSteps step={2} />
        <Form isValid={false} onSubmit={async () => undefined} onReach={() => undefined} submitLabel={label}>
          <TextField label={t('session:login.email')} value={text} onChange={setText} required />
          <TextField
            label={t('session:login.password')}
            value={text}
            onChange={setText}
            type="password"
            reveal={{ show: t('session:password.show'), hide: t('session:password.hide') }}
            hint={t('session:login.linksNeedEmail')}
            error={t('session:login.error.password')}
            required
          />
          <ChoiceField
            label={t('courses:list.sort')}
            name="sort"
            value="name"
            onChange={() => undefined}
            options={[{ value: 'name', label: t('courses:sort.name') }]}
          />
        </Form>
        <SearchBox value={text} onChange={setText} label={t('courses:list.sort')} />
      </Part>
      <Part name="Dialog, ConfirmDialog, Toasts">
        <Row>
          {['modal', 'sheet', 'confirm'].map(kind => (
            <Button key={kind} onClick={() => setOpen(kind)}>
              {kind}
            </Button>
          ))}
          <Button onClick={() => showSuccess(t('offline:update.title'))}>showSuccess</Button>
          <Button onClick={() => showError(t('noAnswer'))}>showError</Button>
        </Row>
        {open === 'confirm' && (
          <ConfirmDialog
            title={t('offline:update.title')}
            text={t('offline:update.text')}
            confirmLabel={t('offline:update.apply')}
            onConfirm={close}
            onCancel={close}
          />
        )}
        {(open === 'modal' || open === 'sheet') && (
          <Dialog kind={open} title={t('offline:update.title')} onClose={close}>
            <p>{t('offline:update.text')}</p>
          </Dialog>
        )}
      </Part>
    </>
  )
}

function Screens() {
  const { t } = i18next
  const [openId, setOpenId] = useState<string | null>('first')
  const courses = useCourses()
  useEffect(() => {
    useCourseIndex.load()
  }, [])
  return (
    <>
      <ScreenHeader title={t('courses:failed.title')} lead={t('courses:failed.text')} kicker="Kicker">
        <Button look="light">{t('retry')}</Button>
      </ScreenHeader>
      <Part name="Accordion">
        <Accordion
          openId={openId}
          onOpen={setOpenId}
          sections={['first', 'second'].map(id => ({
            id,
            title: t('offline:update.title'),
            body: <p>{t('offline:update.text')}</p>,
          }))}
        />
      </Part>
      <Part name="EmptyState, ErrorState, Skeleton">
        <EmptyState title={t('course-list:empty.title')} text={t('course-list:empty.text')} />
        <ErrorState title={t('courses:failed.title')} text={t('courses:failed.text')} onRetry={() => undefined} />
        <Skeleton rows={2} height={72} />
      </Part>
      <Part name="CourseCard">
        <CourseCards courses={courses.slice(0, 3)} isLoggedIn={false} />
      </Part>
    </>
  )
}

function Frames() {
  return ['light', 'dark'].flatMap(scheme =>
    ['de', 'en'].map(language => (
      <iframe
        key={scheme + language}
        title={`${scheme} ${language}`}
        src={`?scheme=${scheme}&language=${language}`}
        style={{ width: '25%', minWidth: 390, height: '100vh', border: 0 }}
      />
    )),
  )
}

async function show(): Promise<void> {
  const query = new URLSearchParams(window.location.search)
  const scheme = query.get('scheme')
  const language = query.get('language') === 'en' ? 'en' : 'de'
  await initializeTexts()
  await i18next.loadNamespaces(['accounts', 'course-list', 'session'])
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  createRoot(document.body).render(
    scheme ? (
      <MantineProvider
        theme={theme}
        forceColorScheme={scheme === 'dark' ? 'dark' : 'light'}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Stack as="main" style={{ padding: 'var(--space-5)' }}>
          <Tokens />
          <Controls />
          <Screens />
        </Stack>
        <Toasts />
      </MantineProvider>
    ) : (
      <Frames />
    ),
  )
}

show()
