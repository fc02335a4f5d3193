/** Factor of all time limits: a build server may be busy with other work. Only there a failure may take longer to show. */
export const patience = process.env.CI ? 3 : 1
