/** A letter of another script than Latin, Greek and Cyrillic, or a pictograph. */
const OTHER_LETTER = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u02B9-\u02BF])\p{L}|[\p{So}\p{Co}\p{Cn}]/u

/**
 * Whether a name is written in letters that every document of the portal can print. Other names are requested in the
 * spelling of the passport, which has Latin letters everywhere.
 */
export const isPrintableName = (name: string): boolean => !OTHER_LETTER.test(name)
