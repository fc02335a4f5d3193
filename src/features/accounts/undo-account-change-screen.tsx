import { MailedLinkQuestion } from './components/mailed-link-question.tsx'

/** Landing page of the "this was not me" link in security notices. */
export function UndoAccountChangeScreen() {
  return <MailedLinkQuestion />
}
