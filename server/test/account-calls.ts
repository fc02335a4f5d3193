import {
  confirmAccount,
  describeLink,
  type ProfileRequest,
  register,
  undoChange,
} from '#contract/endpoints/accounts.ts'
import { changePassword, checkSession, login } from '#contract/endpoints/session.ts'
import type { MailKind } from '#server/platform/outbox/mail-kinds.ts'
import { PASSWORD } from './password.ts'
import { sendMails } from './sent-mails.ts'
import type { TestServer } from './server.ts'

/**
 * HTTP calls for accounts, mailed links and passwords, which return response bodies, and access to the e-mails that
 * were sent.
 */
export function createAccountCalls({ request, db }: TestServer, language: 'de' | 'en' = 'de') {
  const mailsTo = async (email: string) => (await sendMails(db)).filter(({ recipient }) => recipient === email)
  return {
    mailsTo,
    mailsOf: async (id: number) => (await sendMails(db)).filter(({ webUserId }) => webUserId === id),
    /** Token in the last mail of this kind to an address; '' if there is none. */
    linkTo: async (email: string, kind: MailKind): Promise<string> =>
      (await mailsTo(email)).findLast(mail => mail.kind === kind)?.payload.token ?? '',
    register: async (body: ProfileRequest) => (await request(register, { body, language })).body,
    describe: async (token: string) => (await request(describeLink, { body: { token }, language })).body,
    confirm: async (token: string) => (await request(confirmAccount, { body: { token }, language })).body,
    undo: async (token: string) => (await request(undoChange, { body: { token }, language })).body,
    logIn: async (userName: string, password = PASSWORD) =>
      (await request(login, { body: { userName, password }, language })).body,
    check: async (sessionToken: string) => (await request(checkSession, { query: { sessionToken }, language })).body,
    choosePassword: async (token: string, password: string) =>
      (await request(changePassword, { body: { password, confirmPassword: password }, token, language })).body,
  }
}
