import { MailedLinkQuestion } from './components/mailed-link-question.tsx'

/** Where the "this was not me" of a notice leads. */
export function UndoScreen() {
  return <MailedLinkQuestion />
}
