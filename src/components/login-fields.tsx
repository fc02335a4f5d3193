import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'autoComplete'>

/** The e-mail address that somebody logs in with, as keyboards and password managers know it. */
export const UserNameField = (props: Props) => (
  <TextField name="username" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
)

export const PresentPasswordField = (props: Props) => (
  <TextField name="password" type="password" autoComplete="current-password" {...props} />
)
