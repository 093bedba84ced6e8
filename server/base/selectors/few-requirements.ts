/** Requirements of a selector that are looked at one by one. Whoever sends more sends thousands. */
export const fewRequirements = 16;
