/** The security part of the OpenAPI document: the ways to authenticate, and the scope of each operation. */
import { SCOPES } from "../shared/access/scopes.ts";
import type { AccessRule } from "../http/auth/identify.ts";

/** The ways to authenticate. `base`: the public address of the API; if empty, addresses are on the document's host. */
export const securitySchemes = (base: string) =>
  ({
    basic: {
      type: "http",
      scheme: "basic",
      description: "The API key is the user name; the password is empty.",
    },
    // Its name, type and place are those of specification 5, item 3.
    api_key: {
      type: "apiKey",
      in: "header",
      name: "api_key",
      description: "The API key, sent in this header instead.",
    },
    bearer: {
      type: "http",
      scheme: "bearer",
      description: "An access token of OAuth 2.0, instead of a key. `/oauth/verify` says what it allows.",
    },
    oauth2: {
      type: "oauth2",
      description:
        "A web application gets an access token with a person's permission, with or without PKCE (S256). " +
        "A scope may be written as an address with any host. It may be for one company: " +
        "`company/00912345/company.read` asks the person for the company's authentication code. " +
        "`/user/profile` says who the person is.",
      flows: {
        authorizationCode: {
          authorizationUrl: `${base}/oauth2/authorise`,
          tokenUrl: `${base}/oauth2/token`,
          refreshUrl: `${base}/oauth2/token`,
          scopes: SCOPES,
        },
      },
    },
  }) as const;

/** The ways to authenticate for an operation, any one of which is enough. */
export function securityOf({ scope, isOpen = false }: AccessRule): Record<string, string[]>[] {
  return [{ basic: [] }, { api_key: [] }, { bearer: [] }, { oauth2: [scope] }, ...(isOpen ? [{}] : [])];
}
