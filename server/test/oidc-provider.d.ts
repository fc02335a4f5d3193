/** Types for the parts that company-provider.ts uses, because the published types depend on 17 packages. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    path: string
    status: number
    body: unknown
    req: IncomingMessage
    res: ServerResponse
    set(header: string, value: string): void
    oidc: {
      session?: { accountId?: string }
      client?: { clientId: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }
  type Account = { accountId: string; claims(): Promise<Record<string, unknown> & { sub: string }> }
  type Settings = Record<string, unknown> & {
    fetch(url: string | URL, options?: RequestInit): Promise<Response>
    interactions: { url(context: Context, interaction: { uid: string }): string }
    findAccount(context: Context, sub: string): Account
    loadExistingGrant(context: Context): Promise<Grant | undefined>
  }

  export class Provider {
    constructor(issuer: string, settings: Settings)
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>
    callback(): RequestListener
  }
}
