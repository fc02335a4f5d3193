import { InputWrapperContext } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type ReactNode, useId, useMemo } from 'react'
import classes from './field.module.css'
import { Box, Stack, Text } from './layout.tsx'
import { MantineRoot } from './mantine-provider.tsx'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
}

/**
 * Label, hint and error message of an `Input`, associated for screen readers. It is plain HTML for speed, because a
 * form of twenty fields renders on each keystroke. The error element always exists because it is a live region.
 */
export function Field({ label, hint, error, required = false, children }: FieldProps & { children: ReactNode }) {
  const id = useId()
  const ties = useMemo(
    () => ({
      inputId: id,
      describedBy: `${id}-hint ${id}-error`,
      labelId: undefined,
      offsetTop: false,
      offsetBottom: false,
      getStyles: null,
    }),
    [id],
  )
  return (
    <Stack gap="xs">
      <Text as="label" htmlFor={id} weight="semibold">
        {label}
        {required && <span aria-hidden> *</span>}
      </Text>
      <MantineRoot>
        <InputWrapperContext value={ties}>{children}</InputWrapperContext>
      </MantineRoot>
      <Box id={`${id}-hint`} size="s" hideEmpty>
        {hint}
      </Box>
      <Text id={`${id}-error`} size="s" tone="bad" flush className={classes.error} aria-live="polite">
        {error}
      </Text>
    </Stack>
  )
}
