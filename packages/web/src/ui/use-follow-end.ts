import { useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from "react";

/** Distance from the end that counts as being there. */
const END_PX = 40;

export interface FollowEnd {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly following: boolean;
  readonly follow: () => void;
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void;
}

/** Keeps a scroll box at its end after every render, until the user scrolls up. */
export function useFollowEnd(): FollowEnd {
  const box = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  return {
    box,
    following,
    follow: () => setFollowing(true),
    onScroll: ({ currentTarget }) =>
      setFollowing(currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < END_PX),
  };
}
