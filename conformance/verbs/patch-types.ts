/** The content types of patches, by what rules call them. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof patchTypes;

/** What a merge patch is sent with. */
export const mergePatchHeaders = { 'content-type': patchTypes.merge } as const;
