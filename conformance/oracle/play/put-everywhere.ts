/** What controllers put into every namespace, by its name. */
export const putEverywhere: ReadonlySet<string> = new Set(['kube-root-ca.crt', 'default']);
