import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'autoComplete'>

/** E-mail field of the login, with the autocomplete and keyboard hints for password managers and phones. */
export const UserNameField = (props: Props) => (
  <TextField name="username" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
)

export const PresentPasswordField = (props: Props) => (
  <TextField name="password" type="password" autoComplete="current-password" {...props} />
)
