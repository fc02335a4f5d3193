import * as v from 'valibot'
import { claimMapping } from '#contract/endpoints/company.ts'
import { CLIENT, type CompanyProvider } from './company-provider.ts'
import { createTestServer, type TestServer } from './server.ts'

/** Creates a portal at this URL that uses the provider for the company login. */
export const createCompanyServer = (
  publicUrl: string,
  { issuer }: CompanyProvider,
  mapping: v.InferInput<typeof claimMapping>,
): Promise<TestServer> =>
  createTestServer({
    publicUrl,
    companyLogin: { issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, mapping: v.parse(claimMapping, mapping) },
  })
