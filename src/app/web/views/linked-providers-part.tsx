/** The accounts elsewhere that open one's own, with their texts. */
export { LinkedProviders } from '#rooms/users/web/linked-providers.tsx';
