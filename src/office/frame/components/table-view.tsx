import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useQueryString } from '#lib/use-query-string.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Box, Row, Stack } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useUrlParam } from '../use-url-param.ts'
import { savedViewQueryOf, updateSavedViews, useSavedViews } from '../view-store.ts'
import classes from './filter-chips.module.css'

type Props = { columns: readonly { key: string; label: string; isName?: boolean }[] }

const PARAM = 'hide'
const NAME_LENGTH = 40

/** Keys of the hidden columns, stored in the URL. */
export function useHiddenColumns(name: string): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const [text, setText] = useUrlParam(`${name}${PARAM}`)
  return [new Set(text.split(' ').filter(Boolean)), hidden => setText([...hidden].join(' '))]
}

/** The saved views of a table as chips, and a dialog for choosing columns and saving the current view. */
export function TableView({ columns }: Props) {
  const { t } = useTranslation('office')
  const [isOpen, setIsOpen] = useState(false)
  const [location] = useLocation()
  const query = savedViewQueryOf(useQueryString())
  const views = useSavedViews(state => state.views)
  return (
    <>
      {views.map(
        view =>
          view.path === location && (
            <Link
              key={view.name}
              href={view.query ? `${location}?${view.query}` : location}
              className={classes.view}
              aria-current={view.query === query}
            >
              {view.name}
            </Link>
          ),
      )}
      <Button look="quiet" isPill onClick={() => setIsOpen(true)}>
        {t('view.title')}
      </Button>
      {isOpen && <ViewDialog columns={columns} path={location} query={query} onClose={() => setIsOpen(false)} />}
    </>
  )
}

type DialogProps = Props & { path: string; query: string; onClose: () => void }

function ViewDialog({ columns, path, query, onClose }: DialogProps) {
  const { t } = useTranslation('office')
  const views = useSavedViews(state => state.views)
  const [hidden, setHidden] = useHiddenColumns('')
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isTaken = (other: string) => views.some(view => view.path === path && view.name === other)
  const toggle = (key: string, isShown: boolean) => {
    const next = new Set(hidden)
    if (isShown) next.delete(key)
    else next.add(key)
    setHidden(next)
  }
  const save = () => {
    if (name === '') return
    updateSavedViews(all => [...all.filter(view => view.path !== path || view.name !== name), { path, name, query }])
    setTyped('')
  }
  return (
    <Dialog title={t('view.title')} onClose={onClose}>
      <Stack>
        <Box as="fieldset" bare>
          <legend>{t('view.columns')}</legend>
          <Row>
            {columns.map(
              ({ key, label, isName }) =>
                !isName && (
                  <CheckField
                    key={key}
                    label={label}
                    checked={!hidden.has(key)}
                    onChange={isShown => toggle(key, isShown)}
                  />
                ),
            )}
          </Row>
        </Box>
        {views.some(view => view.path === path) && (
          <Stack as="ul" bare aria-label={t('view.saved')}>
            {views.map(
              (view, index) =>
                view.path === path && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
                  <Row as="li" key={index}>
                    <Box grow>
                      <TextField
                        label={t('view.rename')}
                        value={view.name}
                        maxLength={NAME_LENGTH}
                        onChange={next =>
                          !isTaken(next) &&
                          updateSavedViews(all => all.map((one, at) => (at === index ? { ...one, name: next } : one)))
                        }
                      />
                    </Box>
                    <Button look="text" onClick={() => updateSavedViews(all => all.filter((_, at) => at !== index))}>
                      {t('view.delete', { name: view.name })}
                    </Button>
                  </Row>
                ),
            )}
          </Stack>
        )}
        <Row
          as="form"
          onSubmit={event => {
            event.preventDefault()
            save()
          }}
        >
          <Box grow>
            <TextField
              label={t('view.name')}
              hint={t('view.hint')}
              value={typed}
              maxLength={NAME_LENGTH}
              onChange={setTyped}
            />
          </Box>
          <Button type="submit" look="primary" aria-disabled={name === ''}>
            {t('view.save')}
          </Button>
        </Row>
      </Stack>
    </Dialog>
  )
}
